// Whether this run includes the slow tests (`cargo xtask test --all`).

export const isAll = process.env.QUARTERDECK_TEST_ALL !== undefined;
