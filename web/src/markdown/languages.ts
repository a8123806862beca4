// The languages that can be coloured, and what people call them: names and paths in, a language out.

export const LANGUAGES = [
  "bash",
  "c",
  "cmake",
  "cpp",
  "csharp",
  "css",
  "dart",
  "diff",
  "dockerfile",
  "elixir",
  "go",
  "graphql",
  "haskell",
  "ini",
  "java",
  "javascript",
  "json",
  "julia",
  "kotlin",
  "less",
  "lua",
  "makefile",
  "markdown",
  "nginx",
  "nix",
  "objectivec",
  "perl",
  "php",
  "powershell",
  "protobuf",
  "python",
  "r",
  "ruby",
  "rust",
  "scala",
  "scss",
  "shell",
  "sql",
  "swift",
  "typescript",
  "vim",
  "xml",
  "yaml",
] as const;

export type Language = (typeof LANGUAGES)[number];

const KNOWN: ReadonlySet<string> = new Set(LANGUAGES);

/** Other names, and the endings of files. */
const ALSO: Record<string, Language> = {
  sh: "bash",
  zsh: "bash",
  fish: "bash",
  h: "c",
  cc: "cpp",
  cxx: "cpp",
  "c++": "cpp",
  hpp: "cpp",
  hh: "cpp",
  ino: "cpp",
  cs: "csharp",
  "c#": "csharp",
  patch: "diff",
  docker: "dockerfile",
  ex: "elixir",
  exs: "elixir",
  golang: "go",
  gql: "graphql",
  hs: "haskell",
  toml: "ini",
  cfg: "ini",
  conf: "ini",
  editorconfig: "ini",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsonc: "json",
  json5: "json",
  jsonl: "json",
  ipynb: "json",
  lock: "ini",
  jl: "julia",
  kt: "kotlin",
  kts: "kotlin",
  make: "makefile",
  mk: "makefile",
  md: "markdown",
  mdx: "markdown",
  m: "objectivec",
  mm: "objectivec",
  pl: "perl",
  ps1: "powershell",
  proto: "protobuf",
  py: "python",
  pyi: "python",
  python3: "python",
  rb: "ruby",
  gemfile: "ruby",
  rakefile: "ruby",
  rs: "rust",
  sass: "scss",
  console: "shell",
  "shell-session": "shell",
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  html: "xml",
  htm: "xml",
  svg: "xml",
  vue: "xml",
  svelte: "xml",
  plist: "xml",
  yml: "yaml",
};

/** The language that a name stands for. */
export function languageNamed(name: string): Language | undefined {
  const lower = name.toLowerCase();
  if (KNOWN.has(lower)) return lower as Language;
  return Object.hasOwn(ALSO, lower) ? ALSO[lower] : undefined;
}

/** The language of a file, by its name. */
export function languageOfPath(path: string): Language | undefined {
  const file = path.split(/[\\/]/).at(-1) ?? "";
  const ending = file.includes(".") ? file.split(".").at(-1) : file;
  return languageNamed(ending ?? "");
}
