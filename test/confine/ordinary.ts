/**
 * Owns commands of everyday work, as data: all of them go on in the fence, but those that plant what git would run.
 * Leaves running them to ordinary.test.ts. Rule: each begins in a fresh repository, needs no network, and prints
 * something of what it did.
 */
export interface Ordinary {
  readonly about: string;
  readonly command: string;
  readonly prints: RegExp;
  /** A program that the row is made with. */
  readonly needs?: string;
}

const PACKAGE = `mkdir -p dep && echo '{"name":"dep","version":"1.0.0","main":"i.js"}' >dep/package.json && echo 'module.exports = 41' >dep/i.js`;

export const ORDINARY: readonly Ordinary[] = [
  { about: "git status", command: "git status --short && git log --oneline", prints: /first/ },
  {
    about: "git add",
    command: "echo x >new.txt && git add new.txt && git diff --cached --stat",
    prints: /new\.txt/,
  },
  {
    about: "git commit",
    command: "echo x >new.txt && git add -A new.txt && git commit -m second",
    prints: /second/,
  },
  {
    about: "git switch",
    command: "git switch -c topic 2>&1 && git switch - 2>&1",
    prints: /new branch 'topic'/,
  },
  {
    about: "git stash",
    command: "echo more >>a.txt && git stash && git stash pop && cat a.txt",
    prints: /one\nmore/,
  },
  {
    about: "git worktree add",
    command: "git worktree add other 2>&1 && git -C other log --oneline",
    prints: /first/,
  },
  {
    about: "git merge",
    command:
      "git switch -qc topic && echo t >t && git add t && git commit -qm topic && git switch -q - && git merge --no-ff -m merged topic",
    prints: /t \| 1 \+/,
  },
  {
    about: "git rebase",
    command:
      "git switch -qc topic && echo t >t && git add t && git commit -qm topic && git switch -q - && echo m >m && git add m && git commit -qm main && git switch -q topic && git rebase -q - 2>&1 && git log --oneline",
    prints: /topic\n.*main/,
  },
  { about: "git tag", command: "git tag v1 && git tag -l", prints: /v1/ },
  {
    about: "git reset and restore",
    command: "echo x >a.txt && git add a.txt && git reset -q && git restore a.txt && cat a.txt",
    prints: /one/,
  },
  {
    about: "git clone of a repository in the root",
    command: "git clone -q . copy 2>&1 && git -C copy config user.name B && git -C copy log --oneline",
    prints: /first/,
  },
  {
    about: "git init of a new one, with its hooks",
    command:
      "git init -q fresh && echo 'exit 0' >fresh/.git/hooks/pre-commit && ls fresh/.git/hooks/pre-commit",
    prints: /pre-commit/,
  },
  { about: "git gc", command: "git gc -q && git fsck && git count-objects", prints: /objects/ },
  {
    about: "npm ci from what lies here",
    command: `${PACKAGE} && npm pack --silent ./dep && echo '{"name":"app","version":"1.0.0","dependencies":{"dep":"file:dep-1.0.0.tgz"}}' >package.json && npm install --offline --no-audit --no-fund --package-lock-only && npm ci --offline --no-audit --no-fund && node -p 'require("dep") + 1'`,
    prints: /42/,
    needs: "npm",
  },
  {
    about: "npm run, a build",
    command: `echo '{"name":"app","scripts":{"build":"node build.js"}}' >package.json && echo 'require("fs").mkdirSync("dist"); require("fs").writeFileSync("dist/out.js", "built")' >build.js && npm run build && cat dist/out.js`,
    prints: /built/,
    needs: "npm",
  },
  {
    about: "a run of tests",
    command: `echo 'require("node:test").test("adds", () => require("node:assert").equal(1 + 1, 2))' >sum.test.js && node --test sum.test.js`,
    prints: /pass 1/,
  },
  {
    about: "make",
    command: "printf 'all:\\n\\techo made >out\\n' >Makefile && make && cat out",
    prints: /made/,
    needs: "make",
  },
  {
    about: "a compiler",
    command: `echo 'int main(void) { return 7; }' >m.c && gcc m.c -o m && { ./m; echo status $?; }`,
    prints: /status 7/,
    needs: "gcc",
  },
  {
    about: "python's virtual environment",
    command: "python3 -m venv --without-pip v && v/bin/python -c 'import sys; print(sys.prefix)'",
    prints: /\/v$/m,
    needs: "python3",
  },
  {
    about: "tar",
    command: "tar czf t.tgz a.txt locked && mkdir x && tar xzf t.tgz -C x && cat x/a.txt",
    prints: /one/,
  },
  {
    about: "sqlite",
    command: `python3 -c 'import sqlite3; c = sqlite3.connect("d.db"); c.execute("create table t(x)"); c.execute("insert into t values(5)"); c.commit(); print(c.execute("select x from t").fetchall())'`,
    prints: /5/,
    needs: "python3",
  },
  {
    about: "sed in place, find, xargs",
    command:
      "sed -i s/one/two/ a.txt && find . -name a.txt -not -path './wt/*' -not -path './sub/*' | xargs cat",
    prints: /two/,
  },
  {
    about: "temporary files",
    command: 'f=$(mktemp) && echo kept >"$f" && cat "$f" && rm "$f" && echo x >/tmp/here && cat /tmp/here',
    prints: /kept\nx/,
  },
  {
    about: "pipes by name, and here-documents",
    command: "cat <(echo a) - <<<b >/dev/stderr; echo c | tee /dev/stdout",
    prints: /a\nb/,
  },
  { about: "a program of the person's toolchain", command: "sh ~/.cargo/bin/tool", prints: /tool/ },
  {
    about: "the person's name in a commit",
    command: "git -c core.hooksPath=/dev/null config --global user.name",
    prints: /Person/,
  },
  {
    about: "processes of its own",
    command: 'sleep 5 & kill $! && wait $!; echo "ended $?"',
    prints: /ended 143/,
  },
  {
    about: "signals that it sends itself",
    command: "trap 'echo caught' USR1; kill -USR1 $$; echo on",
    prints: /caught\non/,
  },
  {
    about: "a clean up",
    command: "mkdir o && touch o/x && git clean -fd && ls",
    prints: /a\.txt/,
  },
];

/** These must write what is held: they fail, and the cause is named. */
export const HELD: readonly { readonly about: string; readonly command: string }[] = [
  { about: "git config", command: "git config user.name B" },
  { about: "git remote add", command: "git remote add origin https://example.com/x.git" },
  {
    about: "git submodule add",
    command:
      "git -C sub/inner commit -q --allow-empty -m inner; git -c protocol.file.allow=always submodule add ./sub/inner module",
  },
  { about: "git sparse-checkout", command: "git sparse-checkout set locked" },
  { about: "an upstream", command: "git branch topic && git branch --set-upstream-to=topic" },
  { about: "a hook", command: "printf 'exit 0' >.git/hooks/pre-commit" },
];
