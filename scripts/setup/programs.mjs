/**
 * Programs without a package of npm or PyPI, each with the ways to get it: the archive of its official release, used
 * only when its SHA-256 is the one below, else a build of the pinned Go module in `tools/`.
 *
 * A release is never taken on trust: on an unlisted platform the program is built, or refused.
 */
export const k6 = {
  name: "k6",
  version: "2.2.0",
  goPackage: "go.k6.io/k6/v2",
  goModule: "tools/k6",
  goMinutes: 2,
  releases: "https://github.com/grafana/k6/releases/download/v2.2.0/",
  archives: {
    "linux-x64": {
      file: "k6-v2.2.0-linux-amd64.tar.gz",
      member: "k6-v2.2.0-linux-amd64/k6",
      sha256: "b5a8003c86f35f5cd5ceef1490312c48e587696c94d998cefc6d7b3b4cb1597d",
    },
    "linux-arm64": {
      file: "k6-v2.2.0-linux-arm64.tar.gz",
      member: "k6-v2.2.0-linux-arm64/k6",
      sha256: "4ecd64cadcc792402d16293836115480419c4447c032858f564852d98f1bf54c",
    },
    "darwin-x64": {
      file: "k6-v2.2.0-macos-amd64.zip",
      member: "k6-v2.2.0-macos-amd64/k6",
      sha256: "45a08590511c8a6a9c6331645e60c41624924e848e29472e87c60ac956d50372",
    },
    "darwin-arm64": {
      file: "k6-v2.2.0-macos-arm64.zip",
      member: "k6-v2.2.0-macos-arm64/k6",
      sha256: "37a028506bf13578de66c906296803775df28cc2504b1a8c5d786b2803e757c7",
    },
  },
};

export const actionlint = {
  name: "actionlint",
  version: "1.7.12",
  goPackage: "github.com/rhysd/actionlint/cmd/actionlint",
  goModule: "tools/lint",
  goMinutes: 1,
  releases: "https://github.com/rhysd/actionlint/releases/download/v1.7.12/",
  archives: {
    "linux-x64": {
      file: "actionlint_1.7.12_linux_amd64.tar.gz",
      member: "actionlint",
      sha256: "8aca8db96f1b94770f1b0d72b6dddcb1ebb8123cb3712530b08cc387b349a3d8",
    },
    "linux-arm64": {
      file: "actionlint_1.7.12_linux_arm64.tar.gz",
      member: "actionlint",
      sha256: "325e971b6ba9bfa504672e29be93c24981eeb1c07576d730e9f7c8805afff0c6",
    },
    "darwin-x64": {
      file: "actionlint_1.7.12_darwin_amd64.tar.gz",
      member: "actionlint",
      sha256: "5b44c3bc2255115c9b69e30efc0fecdf498fdb63c5d58e17084fd5f16324c644",
    },
    "darwin-arm64": {
      file: "actionlint_1.7.12_darwin_arm64.tar.gz",
      member: "actionlint",
      sha256: "aba9ced2dee8d27fecca3dc7feb1a7f9a52caefa1eb46f3271ea66b6e0e6953f",
    },
  },
};

/** No release: MongoDB's own is not under a free licence, and the one that is on PATH is preferred. */
export const mongod = {
  name: "mongod",
  version: "of FerretDB 1.24.2",
  goPackage: ".",
  goModule: "tools/mongodb",
  goMinutes: 2,
  releases: "",
  archives: {},
};
