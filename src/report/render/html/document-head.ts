import { html, type Markup } from "../../../text/html.ts";

/** A page's head. It loads nothing, and runs no script but that of `scriptHash` (SHA-256, base64). */
export function documentHead(title: string, scriptHash: string | undefined): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: scriptHash === undefined ? policy : policyWith(scriptHash) }}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>`;
}

/** Inert JSON: nothing can end the block, as `<` and JavaScript's line ends are escaped. */
export function dataBlock(id: string, data: object): Markup {
  const json = JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return { markup: `<script type="application/json" id="${id}">${json}</script>` };
}

/** The page's only style. It stands in the page unchanged, because the policy below names its hash. */
export const style = `
:root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--ground:#fff;--raised:#f6f8fa;--bar:#0969da;--base-line:#57606a;--band:#e7ecf1;--bad:#b3261e;--warn:#7a4b00;--good:#1a6b2f}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--raised:#151b23;--bar:#4493f8;--base-line:#b1bac4;--band:#22272e;--bad:#ff8a80;--warn:#e3b341;--good:#56d364}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;line-height:1.25;margin:.5rem 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
.scroll{overflow-x:auto}
details+.scroll{margin-top:1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--line);padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:top}
thead th{color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{font-weight:400}
tbody th[scope=row]{min-width:9rem}
.number{text-align:right;white-space:nowrap}
code,pre{font:.875em/1.45 ui-monospace,monospace}
code{overflow-wrap:anywhere}
pre{overflow-x:auto;background:var(--raised);border-radius:6px;padding:.8rem}
summary{cursor:pointer;padding:.3rem 0}
.problem strong{color:var(--bad)}
.warning{border-left:4px solid var(--warn);background:var(--raised);padding:.4rem .8rem;margin:.5rem 0}
.small{color:var(--soft);font-size:.875rem}
.verdict{min-width:7rem}
.drawn{font:.875em/1.7 ui-monospace,monospace;white-space:nowrap;color:var(--soft)}
tr:has([aria-current]){background:var(--raised);box-shadow:inset 3px 0 var(--bar)}
tr:has([aria-current]) th:first-child{padding-left:.7rem}
@media (max-width:60rem){th,td{padding-right:.45rem}tbody th[scope=row],.verdict{min-width:5rem}}
@media (max-width:40rem){.drawn,.interval{display:none}.number{white-space:normal}.verdict{min-width:0}th,td{padding-right:.4rem}tbody th[scope=row]{min-width:4rem;overflow-wrap:anywhere}thead th{white-space:normal}table{font-size:.8125rem}}
.verdict.bad{color:var(--bad)}
.verdict.good{color:var(--good)}
a{color:var(--bar)}
h3{font-size:1rem;margin:1.5rem 0 .3rem}
h4{font-size:.9375rem;margin:.8rem 0 .2rem}
[hidden]{display:none!important}
:focus-visible{outline:3px solid var(--bar);outline-offset:2px}
.toolbar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.5rem 0;padding:0;border:0}
.toolbar legend{float:left;margin-right:1rem;font-weight:600}
.toolbar label{min-height:1.75rem;max-width:100%}
input[type=search],select,button{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--soft);border-radius:6px;padding:.25rem .6rem;max-width:100%;text-overflow:ellipsis}
button{cursor:pointer}
button.sort{all:unset;cursor:pointer;border-bottom:1px dotted}
button.sort:focus-visible{outline:3px solid var(--bar)}
[aria-sort=ascending] .sort::after{content:" ↑"}
[aria-sort=descending] .sort::after{content:" ↓"}
strong.bad,strong.problem{color:var(--bad)}
strong.good{color:var(--good)}
#cell{border-top:2px solid var(--line);margin-top:2rem}
figure{margin:1.5rem 0;break-inside:avoid}
figcaption{margin-bottom:.3rem}
.drawing svg{display:block;width:auto;height:auto;max-width:100%}
.flame{overflow-x:auto}
.flame rect{stroke:var(--ground)}
.flame g{cursor:pointer}
.flame .fade{opacity:.6}
.flame .d3-flame-graph-label{margin:0 4px;overflow:hidden;color:#1f2328;font-size:12px;line-height:1.5;text-overflow:ellipsis;white-space:nowrap}
.findings>li{margin-bottom:.6rem}
.command{white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
@media print{.scroll{overflow:visible}.scroll table{font-size:.75rem}.number,thead th{white-space:normal}td.number{overflow-wrap:anywhere}tbody th[scope=row],.verdict{min-width:0}pre{white-space:pre-wrap;overflow-wrap:anywhere}body{max-width:none}.toolbar,button:not(.sort){display:none}button.sort{border:0}tr:has([aria-current]){background:none;box-shadow:none}tr:has([aria-current]) th:first-child{padding-left:0}}
`;

/** SHA-256 of `style` in base64. A test gives the right one when the style was changed. */
export const styleHash = "SazYQXsmjwrHwXLPGijgHC9CafplxbFhB65k1GVtwYY=";

/** SHA-256 of the chart library's style. The browser test fails when a new version has another. */
const chartStyleHash = "+TfQir1nvDucAdvE6XUQBt4ayUjpAWkbw2kCdSfekHM=";

const nothing = "default-src 'none'";
const noEscape = "base-uri 'none'; form-action 'none'";

/** Nothing may be loaded, run, framed or sent. Even if an escape failed, the page could do nothing. */
export const policy = `${nothing}; style-src 'sha256-${styleHash}'; ${noEscape}`;

/** The same policy, which also allows our own script and its drawings. */
export function policyWith(scriptHash: string): string {
  return `${nothing}; script-src 'sha256-${scriptHash}'; style-src 'sha256-${styleHash}' 'sha256-${chartStyleHash}'; ${noEscape}`;
}
