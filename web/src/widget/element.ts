import { ATTRIBUTES, contextOf } from './context'
import { h } from './dom'
import { Refusal } from './feed'
import { views } from './views'
import css from './widget.css?inline'

const style = new CSSStyleSheet()
style.replaceSync(css)

/** `<jalon-widget key="w1-…" show="list">`: its shadow keeps the page's styles out and its own in. */
export class JalonWidget extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES
  readonly #root = this.attachShadow({ mode: 'open' })
  #work = new AbortController()
  #planned = false

  connectedCallback(): void {
    this.#plan()
  }

  attributeChangedCallback(): void {
    this.#plan()
  }

  disconnectedCallback(): void {
    this.#work.abort()
  }

  /** Several attributes may change in one breath: it is drawn once. */
  #plan(): void {
    if (this.#planned) return
    this.#planned = true
    queueMicrotask(() => {
      this.#planned = false
      if (this.isConnected) void this.#draw()
    })
  }

  async #draw(): Promise<void> {
    this.#work.abort()
    this.#work = new AbortController()
    const { signal } = this.#work
    const context = contextOf(this, signal)
    const { words } = context
    const box = h(
      'div',
      // Its words are French or English, whatever the page around it is in.
      { class: 'box', lang: words.lang, dir: 'ltr', 'data-show': context.show },
      h('p', { class: 'note', role: 'status' }, words.loading),
    )
    const height = Number(this.getAttribute('height'))
    if (height >= 100) box.style.setProperty('--height', `${height}px`)
    this.#root.adoptedStyleSheets = [style]
    this.#root.replaceChildren(box)
    const view = views[context.show]
    try {
      if (view === undefined) throw new Refusal('unset')
      const [drawn, logo] = await Promise.all([view(context), context.wear(this.#root)])
      if (!signal.aborted) box.replaceChildren(...logo, ...drawn)
    } catch (error) {
      if (signal.aborted) return
      const why = error instanceof Refusal ? error.why : 'offline'
      const { origin } = self
      const message = words[why === 'origin' && origin === 'null' ? 'sandbox' : why]
      box.replaceChildren(h('p', { class: 'note', role: 'alert' }, message.replace('{site}', origin)))
    }
  }
}
