// How much is tested: what every change has to pass, or everything (`cargo xtask test --all`).

export const isAll = process.env.QUARTERDECK_TEST_ALL !== undefined;
