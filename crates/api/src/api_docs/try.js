// Sends what a form of the documentation asks, with the key typed at the top of the page, and shows the answer.
(() => {
  const MOST_SHOWN = 20000
  const words = document.documentElement.lang === 'en'
    ? { sending: 'Sending…', failed: 'No answer: check your connection.', missing: 'Type an API key first.', cut: '… (cut)', bytes: 'bytes' }
    : { sending: 'Envoi…', failed: 'Pas de réponse : vérifiez votre connexion.', missing: 'Saisissez d’abord une clé d’API.', cut: '… (coupé)', bytes: 'octets' }
  const key = document.getElementById('key')

  const addressOf = (form) => {
    let path = form.dataset.path
    const query = new URLSearchParams()
    for (const field of form.elements) {
      if (!field.name || field.value.trim() === '') continue
      if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(field.value.trim()))
      else query.set(field.name, field.value.trim())
    }
    const asked = query.toString()
    return asked === '' ? path : `${path}?${asked}`
  }

  const show = (form, line, body) => {
    form.querySelector('[data-status]').textContent = line
    const pre = form.querySelector('pre')
    pre.hidden = body === ''
    pre.textContent = body
  }

  const textOf = async (reply) => {
    const kind = reply.headers.get('content-type') ?? ''
    if (!/json|xml|svg|text|gpx|kml|tcx/.test(kind)) return `${kind}, ${(await reply.blob()).size} ${words.bytes}`
    const text = await reply.text()
    let shown = text
    if (/json/.test(kind)) {
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2)
      } catch {
        // What is no JSON is shown as it came.
      }
    }
    return shown.length > MOST_SHOWN ? shown.slice(0, MOST_SHOWN) + words.cut : shown
  }

  for (const form of document.querySelectorAll('form[data-path]')) {
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const needsKey = form.dataset.key === 'yes'
      if (needsKey && key.value.trim() === '') {
        show(form, words.missing, '')
        key.focus()
        return
      }
      const address = addressOf(form)
      show(form, words.sending, '')
      try {
        const reply = await fetch(address, { credentials: 'omit', headers: needsKey ? { 'x-api-key': key.value.trim() } : {} })
        show(form, `GET ${address} : ${reply.status}`, await textOf(reply))
      } catch {
        show(form, words.failed, '')
      }
    })
  }
})()
