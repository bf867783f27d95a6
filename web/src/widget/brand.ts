import type { WidgetBrand } from '@/api/types'
import { h } from './dom'

/** Puts the colours and the fonts of a key's white-label on a shadow; gives its logo. Where it cannot be read the widget's own style stays. The style is written by the server, which knows what can be read on what; paths are on the server. */
export async function wear(root: ShadowRoot, base: string, key: string, color: string, signal: AbortSignal): Promise<Node[]> {
  const reply = await fetch(`${base}/widget/v1/brand?${new URLSearchParams({ key, color })}`, { credentials: 'omit', signal })
  if (!reply.ok) return []
  const { name, logo, css, fonts }: WidgetBrand = await reply.json()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  // Fonts of a shadow are those of its page.
  for (const { family, path, weight } of fonts) document.fonts.add(new FontFace(family, `url(${base}${path})`, { weight, display: 'swap' }))
  return logo == null ? [] : [h('p', { class: 'logo' }, h('img', { src: base + logo, alt: name }))]
}
