/**
 * Owns the table of ordinary programs that run others by their options.
 * Leaves runners and shells to parse-shell.test.ts. Rule: each harmless row is one that people and models use daily.
 */
import { describe, expect, it } from "vitest";
import { parseShell } from "./parse-shell.ts";

describe("a command that runs another by its options cannot be seen through", () => {
  it.each([
    "git -c core.pager='touch x' --paginate log",
    "git -c alias.z='!touch x' z",
    "git -c core.fsmonitor=./x status",
    "git -c CORE.SSHCOMMAND=x fetch",
    "git --no-pager -c diff.external=x diff",
    "git --config-env=core.pager=X log",
    "git --exec-path=. status",
    "git -C sub -c core.hooksPath=. commit -m x",
    "git bisect run touch x",
    "git rebase -x 'touch x' main",
    "git rebase --ex 'touch x' main",
    "git submodule --quiet foreach 'touch x'",
    "git grep -O'touch x' a",
    "git grep --open=x a",
    "git difftool -x x",
    "git fetch --upload-pack='touch x' .",
    "git push --receive-pack=x",
    "git clone -c core.sshCommand=x u",
    "git clone --config=core.sshCommand=x u",
    "git clone ext::'sh -c x' a",
    "git remote add o 'ext::sh -c x'",
    "git config core.pager x",
    "git config set alias.z '!x'",
    "git config --global --add credential.helper x",
    "/usr/bin/git filter-branch --tree-filter x",
    "tar cf a b --checkpoint=1 --checkpoint-action=exec=x",
    "tar --to-com=x -xf a",
    "tar -I x -xf a",
    "tar xIf x a",
    "tar xf a -F x",
    "sed '1e touch x' a",
    "sed 's/a/b/e' a",
    "sed 's/a/b/ge;p' a",
    "sed -n 'w out' a",
    "sed 's/a/b/w out' a",
    "sed -n -e p -e '$!e x' a",
    "sed --expression='e x' a",
    "sed -nee a",
    "sed -f script a",
    "sed 's/a/b/;\n1e x' a",
    "awk 'BEGIN{system(\"x\")}'",
    "awk '{print | \"sh\"}' a",
    "gawk '\"date\" | getline d' a",
    "awk '{print $1 > \"out\"}' a",
    "sort --compress-program=x a",
    "split --filter=x a",
    "rsync -ave 'ssh -x' a b",
    "rsync --rsh=x a b",
    "zip a b -T -TT x",
    "rg --pre x a",
    "man -P x ls",
    "less +'!x' a",
    "vim -c '!x' a",
    "vim +!x a",
    "ed a",
    "make SHELL=./x",
    "make --eval='$(shell x)'",
    "npm --script-shell=./x run y",
    "npm exec -c 'x'",
    "npm config set script-shell x",
    "go test -exec x ./a",
    "cargo --config 'build.rustc-wrapper=\"x\"' build",
    "gcc -wrapper x a.c",
    "/lib64/ld-linux-x86-64.so.2 /bin/x",
  ])("%s", (command) => {
    expect(parseShell(command).opaque).not.toEqual([]);
  });
});

describe("an ordinary command is seen", () => {
  it.each([
    "git status",
    "git -C sub log --oneline -n 3",
    "git --no-pager diff --stat HEAD~1",
    "git -c core.pager=cat log",
    "git -c user.name=x -c user.email=x@y.z commit -m 'run -x exec'",
    "git -c color.ui=always show",
    "git commit -m 'exec --upload-pack ext'",
    "git config user.name",
    "git config core.pager",
    "git config --get alias.z",
    "git config user.email x@y.z",
    "git config --list",
    "git rebase main",
    "git grep -n -E foo",
    "git push -u origin main",
    "git clone --depth 1 https://example.com/a b",
    "git submodule update --init",
    "tar -xzf a.tgz -C out",
    "tar czf a.tgz src",
    "tar tf a --exclude=x",
    "sed -n '1,20p' a",
    "sed -i.bak -E 's/(a)b/\\1c/g' a",
    "sed -e 's|/usr|/opt|' -e '/^#/d' a",
    "sed '/start/,/end/d; s/x/y/2' a",
    "sed ':a;N;$!ba;s/\\n/ /g' a",
    "sed '5i some text; more' a",
    "sed '$d' a",
    "awk '{print $2}' a",
    "awk -F'|' '{print $1, $3}' a",
    "awk '$3 > 5 { n++ } END { print n }' a",
    "awk 'NR==1 || NR==3' a",
    "sort -u -k2 a",
    "rsync -av a b",
    "rg -n --glob '!x' foo",
    "make test PREFIX=out",
    "npm test",
    "npm run build -- --watch",
    "npm ci --ignore-scripts",
    "go test ./a -run X",
    "cargo build --release",
    "gcc -Wall -O2 -o a a.c",
    "zip -r a.zip src",
    "split -l 100 a",
    "less a",
    "vim a",
  ])("%s", (command) => {
    expect(parseShell(command).opaque).toEqual([]);
  });
});

it("reads endless scripts in no time", () => {
  const started = Date.now();
  for (const script of [
    "s/a/b/;".repeat(50_000),
    `s/${"a".repeat(200_000)}`,
    "/".repeat(200_000),
    " ".repeat(200_000),
    "1,".repeat(100_000),
  ])
    parseShell(`sed '${script}' a; awk '${script}' a`);
  expect(Date.now() - started).toBeLessThan(5_000);
});
