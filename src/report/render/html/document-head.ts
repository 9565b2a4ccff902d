import { html, type Markup } from "../../../text/html.ts";

/**
 * The head of every page of ours. Its policy lets the page load nothing, and run no script but its own.
 *
 * @param scriptHash SHA-256 of that script in base64; absent when there is none
 */
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

/**
 * JSON as the text of a `<script type="application/json">`, which browsers never run. Nothing in it can end the block:
 * every `<` is written as an escape of JSON, and so are the two line ends that only JavaScript knows.
 */
export function dataBlock(id: string, data: object): Markup {
  const json = JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return { markup: `<script type="application/json" id="${id}">${json}</script>` };
}

/** The page's only style. It stands in the page unchanged, because the policy below names its hash. */
export const style = `
:root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--ground:#fff;--raised:#f6f8fa;--bar:#0969da;--base:#818b98;--base-line:#57606a;--band:#e7ecf1;--bad-ground:#fdeceb;--good-ground:#e6f4e9;--bad:#b3261e;--warn:#7a4b00;--good:#1a6b2f}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--raised:#151b23;--bar:#4493f8;--base:#7d8590;--base-line:#b1bac4;--band:#22272e;--bad-ground:#3a1512;--good-ground:#0f2d17;--bad:#ff8a80;--warn:#e3b341;--good:#56d364}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;line-height:1.25;margin:.5rem 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
.scroll{overflow-x:auto}
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
.chart td{border:0;padding-block:.1rem}
.chart .wide{width:100%;min-width:5rem}
svg{display:block;width:100%;height:1.4rem}
.head{fill:var(--bar)}
.base{fill:var(--base)}
.interval{stroke:var(--text);stroke-width:2}
.axis{display:flex}
.axis span{flex:1;text-align:center}
.axis span:first-child{text-align:left}
.axis span:last-child{text-align:right}
@media (max-width:40rem){.chart .words{white-space:normal;min-width:8rem}}
.band{fill:var(--line);opacity:.6}
.zero{stroke:var(--soft);stroke-width:1}
.effect{stroke:var(--text);stroke-width:2}
.point{stroke:var(--text);stroke-width:6}
.bad .effect,.bad .point{stroke:var(--bad)}
.good .effect,.good .point{stroke:var(--good)}
.doubt .effect,.doubt .point{stroke:var(--soft)}
.verdict{white-space:nowrap}
.verdict.bad{color:var(--bad)}
.verdict.good{color:var(--good)}
a{color:var(--bar)}
h3{font-size:1rem;margin:1.5rem 0 .3rem}
h4{font-size:.9375rem;margin:.8rem 0 .2rem}
[hidden]{display:none!important}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible{outline:3px solid var(--bar);outline-offset:2px}
.toolbar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.5rem 0;padding:0;border:0}
.toolbar legend{float:left;margin-right:1rem;font-weight:600}
.toolbar label{min-height:1.75rem}
input[type=search],select,button{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--soft);border-radius:6px;padding:.25rem .6rem;max-width:100%}
button{cursor:pointer}
button.sort{all:unset;cursor:pointer;padding:.15rem .1rem}
button.sort:focus-visible{outline:3px solid var(--bar)}
button.sort::after{content:" ↕";color:var(--soft)}
[aria-sort=ascending] .sort::after{content:" ↑"}
[aria-sort=descending] .sort::after{content:" ↓"}
.grid td{padding:.15rem .3rem .15rem 0;border:0}
.grid tbody th{border:0;vertical-align:middle}
.place{display:block;min-width:7.5rem;padding:.35rem .6rem;border:1px solid var(--line);border-left:6px solid var(--line);border-radius:6px;background:var(--raised);color:var(--text);text-decoration:none}
.place:hover,.place[aria-current]{outline:2px solid var(--bar)}
.place .size{display:block;font-weight:600;white-space:nowrap}
.place .state{display:block;font-size:.8125rem}
.place.bad{border-color:var(--bad);background:var(--bad-ground)}
.place.good{border-color:var(--good);background:var(--good-ground)}
.place.doubt{border-left-style:dashed;border-left-color:var(--warn)}
.place.problem{border-left-style:double;border-left-color:var(--bad)}
strong.bad,strong.problem{color:var(--bad)}
strong.good{color:var(--good)}
#cell{border-top:2px solid var(--line);margin-top:2rem}
figure{margin:1.5rem 0;break-inside:avoid}
figcaption{margin-bottom:.3rem}
.drawing svg{width:auto;height:auto;max-width:100%}
.flame{overflow-x:auto}
.flame rect{stroke:var(--ground)}
.flame g{cursor:pointer}
.flame .fade{opacity:.6}
.flame .d3-flame-graph-label{margin:0 4px;overflow:hidden;color:#1f2328;font-size:12px;line-height:1.5;text-overflow:ellipsis;white-space:nowrap}
.findings>li{margin-bottom:.6rem}
.command{white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
@media print{.scroll{overflow:visible}body{max-width:none}.toolbar,button:not(.sort),.legend{display:none}.sort::after{content:""}}
`;

/** SHA-256 of `style` in base64. A test gives the right one when the style was changed. */
export const styleHash = "ahL7Ez77FdfXWND3MPQ1ohVh65VRu8HLB7qvHEyxzFA=";

/**
 * SHA-256 of the style that the chart library puts into each of its drawings. It is the same in all, because all have
 * the same class. The test in a browser fails when a new version of the library has another.
 */
const chartStyleHash = "+TfQir1nvDucAdvE6XUQBt4ayUjpAWkbw2kCdSfekHM=";

const nothing = "default-src 'none'";
const noEscape = "base-uri 'none'; form-action 'none'";

/** Nothing may be loaded, run, framed or sent. Even if an escape failed, the page could do nothing. */
export const policy = `${nothing}; style-src 'sha256-${styleHash}'; ${noEscape}`;

/** The same policy, which also allows our own script and its drawings. */
export function policyWith(scriptHash: string): string {
  return `${nothing}; script-src 'sha256-${scriptHash}'; style-src 'sha256-${styleHash}' 'sha256-${chartStyleHash}'; ${noEscape}`;
}
