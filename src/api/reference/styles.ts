/** Colours of the dashboard; a test compares them with its styles. */
const LIGHT =
  '--page: #fff; --panel: #f7f8fa; --ink: #16181d; --dim: #5a6270; --line: #e2e5ea; --edge: #c9ced6; --accent: #1f5fd0; --on-accent: #fff; --pass: #137536; --fail: #b91c1c; --doubt: #a14a06;';
const DARK =
  '--page: #0f1115; --panel: #161a20; --ink: #e8eaee; --dim: #9ba4b2; --line: #262b33; --edge: #3a414c; --accent: #7fb0ff; --on-accent: #0f1115; --pass: #56d07e; --fail: #ff8080; --doubt: #f2b45c;';

/** Styles of the API reference, in the look of the dashboard. */
export const REFERENCE_STYLES = `:root { color-scheme: light; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; ${DARK} } }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 260px minmax(0, 1fr); background: var(--page); color: var(--ink); font: 14px/22px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
header { grid-column: 1 / -1; position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; padding: 10px 16px; background: var(--page); border-bottom: 1px solid var(--line); }
header span { color: var(--dim); }
.brand { display: inline-flex; gap: 8px; align-items: center; color: var(--ink); font-weight: 600; text-decoration: none; }
.logo { fill: var(--accent); }
.tick { fill: none; stroke: var(--on-accent); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
a { color: var(--accent); }
nav { position: sticky; top: 44px; align-self: start; max-height: calc(100vh - 44px); overflow: auto; padding: 16px; border-right: 1px solid var(--line); font-size: 13px; line-height: 20px; }
nav ul { margin: 0 0 8px; padding: 0 0 0 14px; list-style: none; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav p { margin: 4px 0; }
nav li { padding: 2px 0; }
summary { padding: 2px 0; cursor: pointer; }
input { width: 100%; height: 30px; margin-bottom: 10px; padding: 4px 8px; border: 1px solid var(--edge); border-radius: 3px; background: var(--page); color: var(--ink); font: inherit; }
::placeholder { color: var(--dim); opacity: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
main { max-width: 1000px; padding: 16px 32px 64px; }
h1 { font-size: 24px; line-height: 32px; margin: 8px 0; }
h2 { font-size: 20px; line-height: 28px; margin: 40px 0 4px; padding-top: 12px; border-top: 1px solid var(--edge); }
h3 { font-size: 16px; line-height: 24px; margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 13px; line-height: 20px; margin: 14px 0 4px; color: var(--dim); }
h2, article { scroll-margin-top: 56px; }
p { margin: 6px 0; }
article { padding: 20px 0; border-bottom: 1px solid var(--line); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 12px; line-height: 18px; overflow-wrap: anywhere; }
pre { margin: 4px 0; padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); white-space: pre-wrap; }
.path code { font-size: 13px; }
.path b { display: inline-block; min-width: 56px; font-size: 12px; color: var(--accent); }
.path .post { color: var(--pass); }
.path .put { color: var(--doubt); }
.path .delete { color: var(--fail); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 13px; line-height: 20px; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
thead th { color: var(--dim); font-size: 12px; }
th:first-child { width: 30%; }
table:not([aria-label="Errors"]) th:nth-child(2) { width: 26%; }
[aria-label="Errors"] th:first-child { width: 80px; }
.required { color: var(--doubt); font-size: 12px; }
.limit, .errors { color: var(--dim); }
[hidden] { display: none; }
@media (max-width: 800px) {
  body { grid-template-columns: minmax(0, 1fr); }
  header { position: static; }
  nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); columns: 2; }
  input { column-span: all; }
  #none { column-span: all; }
  main { padding: 8px 16px 48px; }
  h2, article { scroll-margin-top: 8px; }
  table, tbody, tr, th, td { display: block; }
  thead { display: none; }
  tr { padding: 6px 0; border-bottom: 1px solid var(--line); }
  th, td { padding: 0; border: 0; }
  th:first-child, table:not([aria-label="Errors"]) th:nth-child(2), [aria-label="Errors"] th:first-child { width: auto; }
}
`;
