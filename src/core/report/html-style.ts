/** The page's only style. It stands in the page unchanged, because the policy below names its hash. */
export const style = `
:root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--ground:#fff;--raised:#f6f8fa;--bar:#0969da;--base:#818b98;--bad:#b3261e;--warn:#7a4b00;--good:#1a6b2f}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--raised:#151b23;--bar:#4493f8;--base:#7d8590;--bad:#ff8a80;--warn:#e3b341;--good:#56d364}}
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
@media print{.scroll{overflow:visible}body{max-width:none}}
`;

/** SHA-256 of `style` in base64; a test says the right one when the style was changed. */
export const styleHash = "q7O3lx0R1ePR4KtRjcbSKkuyGlKSQ0oSNU6uEC03ZZI=";

/** Nothing may be loaded, run, framed or sent: even if an escape failed, the page could do nothing. */
export const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
