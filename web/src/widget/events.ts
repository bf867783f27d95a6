/** Reports the viewed parcours to the server, each once, a few at a time. Nothing identifies the visitor. */
export function counter(base: string, whiteLabel: number, language: string, signal: AbortSignal): (id: number) => void {
  const known = new Set<number>()
  let waiting: number[] = []
  // In the page for frames the site is the one around it. Only the origin of its address is sent. `self` and not `location`: a frame with
  // `srcdoc` has the origin of its page, and its address has none. A sandboxed frame has none at all ("null").
  const around = self.origin === new URL(base).origin ? document.referrer : self.origin
  const send = () => {
    const events = waiting.map((id) => ({
      kind: 'widget_view',
      parcours_id: id,
      white_label_id: whiteLabel,
      language,
      ...(around.startsWith('http') && { referrer: new URL(around).origin }),
    }))
    waiting = []
    // As text, without cookie, and without waiting for the answer: browsers then send it without a preflight, also when the page closes.
    if (events.length > 0)
      void fetch(`${base}/api/public/v1/events`, {
        method: 'POST',
        body: JSON.stringify({ events }),
        mode: 'no-cors',
        credentials: 'omit',
        keepalive: true,
      }).catch(() => undefined)
  }
  addEventListener('pagehide', send, { signal })
  return (id) => {
    if (known.has(id)) return
    known.add(id)
    if (waiting.push(id) === 1) setTimeout(send, 800)
  }
}
