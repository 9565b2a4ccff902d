import { html, type Markup } from "../../../text/html.ts";
import { policy, policyWith, style } from "./style.ts";

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
