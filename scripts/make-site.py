#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documentation as a small static site: scripts/make-site.py FOLDER

Every page of PAGES becomes an HTML file with the others beside it; what is
written in Markdown is translated here: headings, paragraphs, lists, tables,
code, links, emphasis. A link to a file of the source that is no page is
copied along. Pages of docs/ that are not in PAGES come behind the others. The
exit status is 1 when a link leads nowhere, or when a page holds a mark-up that is
not known."""

import html
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = [
    ("Start", ["README.md", "docs/tutorial.md", "docs/index.md", "docs/c.md",
               "docs/mpi.md", "docs/annotations.md"]),
    ("Answers", ["docs/unknown.md", "docs/harness.md", "docs/reports.md",
                 "docs/evidence.md", "docs/why-believe.md", "docs/json.md", "docs/ci.md",
                 "docs/suite.md", "docs/projects.md"]),
    ("Engines", ["docs/engines/index.md", "docs/engines/reduce.md",
                 "docs/engines/bws.md", "docs/engines/km.md",
                 "docs/engines/fws.md", "docs/engines/tse.md",
                 "docs/engines/concolic.md", "docs/engines/programs.md",
                 "docs/engines/unbounded.md", "docs/engines/explore.md", "docs/engines/graph.md",
                 "docs/engines/unfold.md"]),
    ("Formats", ["docs/formats.md", "docs/code.md", "docs/ir.md"]),
    ("More", ["docs/comparison.md", "docs/interpreter.md", "docs/front-c.md",
              "docs/architecture.md", "CHANGELOG.md", "CONTRIBUTING.md"]),
]
STYLE = """
:root { --ink: #1b1f24; --soft: #59636e; --paper: #fff; --shade: #f5f6f8;
  --line: #d8dde3; --link: #0b57c2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --soft: #9aa4af;
  --paper: #14171b; --shade: #1d2126; --line: #333a42; --link: #7ab2ff; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, sans-serif; display: flex; }
nav { flex: 0 0 13rem; padding: 1.5rem 1rem; border-right: 1px solid var(--line);
  font-size: 14px; position: sticky; top: 0; height: 100vh; overflow-y: auto; }
nav b { display: block; margin: 1rem 0 .25rem; color: var(--soft);
  font-weight: 600; }
nav a { display: block; padding: .1rem 0; text-decoration: none; }
nav a.here { font-weight: 600; color: var(--ink); }
main { flex: 1 1 auto; min-width: 0; max-width: 54rem; padding: 1.5rem 2rem 4rem; }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .75rem; }
h1 { margin-top: 0; }
pre { background: var(--shade); border: 1px solid var(--line); padding: .75rem 1rem;
  overflow-x: auto; font-size: 13px; line-height: 1.4; border-radius: 4px; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
p code, li code, td code { background: var(--shade); padding: 0 .2em;
  border-radius: 3px; }
pre .command { font-weight: 600; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 15px; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left;
  vertical-align: top; }
th { background: var(--shade); }
.contents { display: none; }
@media (max-width: 50rem) { body { flex-direction: column; } main { padding: 1rem; }
  .contents { display: block; padding: .75rem 1rem; text-decoration: none;
    border-bottom: 1px solid var(--line); }
  nav { order: 1; flex: none; position: static; height: auto; border: 0;
    border-top: 1px solid var(--line); columns: 2; } }
"""


def slug(text):
    """The name of a heading, as code hosts make it."""
    text = re.sub(r"`|\[([^]]*)\]\([^)]*\)", r"\1", text).lower()
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", text).strip())


class Page:
    """One Markdown file."""

    def __init__(self, path, site):
        self.path, self.site = path, site
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.anchors, self.links, self.problems = set(), [], []
        fence = False
        for line in self.lines:
            fence ^= line.lstrip().startswith("```")
            heading = re.match(r"(#+) (.*)", line)
            if heading and not fence:
                self.anchors.add(slug(heading.group(2)))
        self.title = next((line[2:] for line in self.lines
                           if line.startswith("# ")), path)
        self.out = site.out_name(path)

    def target(self, link, text):
        """Where a link goes in the site."""
        if re.match(r"[a-z]+:", link):
            return link
        name, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(self.path), name)) \
            if name else self.path
        self.links.append((path, anchor, text))
        shown = self.site.out_name(path)
        return os.path.relpath(shown, os.path.dirname(self.out) or ".") + \
            (f"#{anchor}" if anchor else "")

    def inline(self, text):
        kept = []

        def keep(what):
            kept.append(what)
            return f"\0{len(kept) - 1}\0"
        text = re.sub(r"(`+)(.+?)\1", lambda m: keep(
            f"<code>{html.escape(m.group(2).strip())}</code>"), text, flags=re.S)
        text = re.sub(r"\\([|*_`\[\]<>])", lambda m: keep(html.escape(m.group(1))),
                      text)
        text = html.escape(text, quote=False)
        text = re.sub(r"!?\[([^\]]+)\]\(([^)\s]+)\)", lambda m:
                      keep(f'<a href="{html.escape(self.target(m.group(2), m.group(1)))}">')
                      + m.group(1) + keep("</a>"), text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])", r"<em>\1</em>", text)
        while "\0" in text:
            text = re.sub("\0(\\d+)\0", lambda m: kept[int(m.group(1))], text)
        return text

    def code(self, lines, kind):
        body = []
        for line in lines:
            shown = html.escape(line, quote=False)
            if kind == "console" and line.startswith("$ "):
                shown = f'<span class="command">{shown}</span>'
            body.append(shown)
        return "<pre><code>" + "\n".join(body) + "</code></pre>"

    def table(self, rows):
        def cells(row):
            row = row.strip()
            row = row[1:] if row.startswith("|") else row
            row = row[:-1] if row.endswith("|") and not row.endswith("\\|") else row
            # a bar in code or behind a backslash separates nothing
            parts, depth, at = [""], False, 0
            while at < len(row):
                c = row[at]
                if c == "\\" and at + 1 < len(row):
                    parts[-1] += "|" if row[at + 1] == "|" and depth else row[at:at + 2]
                    at += 2
                    continue
                if c == "`":
                    depth = not depth
                if c == "|" and not depth:
                    parts.append("")
                else:
                    parts[-1] += c
                at += 1
            return [p.strip() for p in parts]
        head, *body = [cells(row) for i, row in enumerate(rows) if i != 1]
        out = ["<table>"]
        if any(head):
            out.append("<tr>" + "".join(f"<th>{self.inline(c)}</th>"
                                        for c in head) + "</tr>")
        for row in body:
            if len(row) != len(head):
                self.problems.append(f"a row of {len(row)} cells in a table of "
                                     f"{len(head)}: {row[0]}")
            out.append("<tr>" + "".join(f"<td>{self.inline(c)}</td>"
                                        for c in row) + "</tr>")
        return "\n".join(out + ["</table>"])

    def blocks(self, lines):
        """The HTML of some lines without their common indentation."""
        out, at = [], 0
        while at < len(lines):
            line = lines[at]
            heading = re.match(r"(#+) (.*)", line)
            item = re.match(r"([-*]|\d+\.) +", line)
            if not line.strip() or re.match(r"<!--.*-->$", line):
                at += 1
            elif line.startswith("```"):
                end = at + 1
                while end < len(lines) and not lines[end].startswith("```"):
                    end += 1
                out.append(self.code(lines[at + 1:end], line[3:].strip()))
                at = end + 1
            elif heading:
                level, text = len(heading.group(1)), heading.group(2)
                out.append(f'<h{level} id="{slug(text)}">{self.inline(text)}'
                           f"</h{level}>")
                at += 1
            elif line.lstrip().startswith("|") and at + 1 < len(lines) and \
                    re.match(r"\s*\|[-| :]+\|?\s*$", lines[at + 1]):
                end = at
                while end < len(lines) and lines[end].lstrip().startswith("|"):
                    end += 1
                out.append(self.table(lines[at:end]))
                at = end
            elif item:
                at = self.items(lines, at, item, out)
            elif line.startswith("    "):
                end = at
                while end < len(lines) and (lines[end].startswith("    ") or
                                            not lines[end].strip()):
                    end += 1
                out.append(self.code([l[4:] for l in lines[at:end]], ""))
                at = end
            elif line.startswith("> "):
                end = at
                while end < len(lines) and lines[end].startswith(">"):
                    end += 1
                out.append("<blockquote>" + "\n".join(self.blocks(
                    [l[2:] for l in lines[at:end]])) + "</blockquote>")
                at = end
            else:
                end = at + 1
                while end < len(lines) and lines[end].strip() and not re.match(
                        r"```|#+ |\||([-*]|\d+\.) ", lines[end]):
                    end += 1
                out.append("<p>" + self.inline("\n".join(lines[at:end])) + "</p>")
                at = end
        return out

    def items(self, lines, at, item, out):
        """A list from line `at` on; the line behind it."""
        ordered = item.group(1)[0].isdigit()
        kind = r"\d+\. +" if ordered else r"[-*] +"
        out.append("<ol>" if ordered else "<ul>")
        while at < len(lines) and re.match(kind, lines[at]):
            width = len(re.match(kind, lines[at]).group(0))
            own, end = [lines[at][width:]], at + 1
            while end < len(lines):
                line = lines[end]
                if line.startswith(" " * 2) and line.strip():
                    own.append(line[min(width, len(line) - len(line.lstrip())):])
                elif not line.strip() and end + 1 < len(lines) and \
                        lines[end + 1].startswith("  "):
                    own.append("")
                elif line.strip() and own[-1].strip() and not re.match(
                        r"```|#+ |\||([-*]|\d+\.) ", line):
                    own.append(line)
                else:
                    break
                end += 1
            body = self.blocks(own)
            if body and body[0].startswith("<p>") and \
                    sum(b.startswith("<p>") for b in body) == 1:
                body[0] = body[0][3:-4]
            out.append("<li>" + "\n".join(body) + "</li>")
            at = end
            while at + 1 < len(lines) and not lines[at].strip() and \
                    re.match(kind, lines[at + 1]):
                at += 1
        out.append("</ol>" if ordered else "</ul>")
        return at

    def render(self):
        here = os.path.dirname(self.out) or "."
        nav = []
        for group, paths in PAGES:
            nav.append(f"<b>{group}</b>")
            for path in paths:
                page = self.site.pages.get(path)
                if not page:
                    continue
                mark = ' class="here"' if page is self else ""
                link = os.path.relpath(page.out, here)
                short = re.split(r" — |: |, ", page.title)[0]
                nav.append(f'<a{mark} href="{link}">{html.escape(short)}</a>')
        body = "\n".join(self.blocks(self.lines))
        if re.search(r"<p>(?:\||```)", body):
            self.problems.append("a table or code that is none")
        style = os.path.relpath("style.css", here)
        return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
                f'<meta name="viewport" content="width=device-width">'
                f"<title>{html.escape(self.title)} – heddle</title>"
                f'<link rel="stylesheet" href="{style}"></head>\n'
                f'<body><a class="contents" href="#nav">≡ Contents</a>\n'
                f'<nav id="nav">{chr(10).join(nav)}</nav>\n<main>\n{body}\n'
                f"</main></body></html>\n")


def add_others():
    """Whatever else there is in docs/, to the group it belongs to."""
    listed = {path for _, paths in PAGES for path in paths}
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            group = "Engines" if "engines" in path else "More"
            if name.endswith(".md") and path not in listed:
                next(p for g, p in PAGES if g == group).append(path)


class Site:
    def __init__(self):
        add_others()
        self.listed = [path for _, paths in PAGES for path in paths]
        self.pages = {}
        for path in self.listed:
            if os.path.exists(os.path.join(ROOT, path)):
                self.pages[path] = Page(path, self)

    def out_name(self, path):
        if path == "README.md":
            return "index.html"
        if path in self.listed:
            name = path[5:] if path.startswith("docs/") else path
            name = "guide.md" if name == "index.md" else name
            return name[:-3] + ".html"
        return os.path.join("files", path)

    def problems(self):
        for path in self.listed:
            if path not in self.pages:
                yield f"{path}: there is no such page"
        for page in self.pages.values():
            for problem in page.problems:
                yield f"{page.path}: {problem}"
            for path, anchor, text in page.links:
                if not os.path.exists(os.path.join(ROOT, path)):
                    yield f"{page.path}: '{text}' leads to {path}: no such file"
                elif anchor and path in self.pages and \
                        anchor not in self.pages[path].anchors:
                    yield f"{page.path}: '{text}' leads to {path}#{anchor}: " \
                        "no such heading"

    def write(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(os.path.join(folder, "style.css"), "w") as file:
            file.write(STYLE.lstrip())
        for page in self.pages.values():
            text = page.render()
            path = os.path.join(folder, page.out)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for path in sorted({link[0] for page in self.pages.values()
                            for link in page.links} - set(self.pages)):
            source = os.path.join(ROOT, path)
            target = os.path.join(folder, self.out_name(path))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.isdir(source):
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif os.path.exists(source):
                shutil.copy(source, target)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site = Site()
    site.write(sys.argv[1])
    problems = list(site.problems())
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(site.pages)} pages in {sys.argv[1]}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
