// Google Analytics, for a white-label that has an identifier there. Nothing is loaded from Google before the visitor agrees; the answer is
// kept on the device for six months, as the CNIL recommends.

const KEPT_MS = 182 * 86_400_000

interface Answer {
  choice: 'yes' | 'no'
  at: number
}

declare global {
  interface Window {
    /** The commands that Google's script reads. */
    dataLayer?: unknown[]
    [stopped: `ga-disable-${string}`]: boolean
  }
}

/** Asks once whether the audience may be measured, and measures it where the visitor agreed. */
export function askForAudience(question: HTMLElement): void {
  const id = question.dataset['id'] ?? ''
  const key = `jalon-audience-${id}`
  const again = document.getElementById('audience-again')
  const show = (asks: boolean): void => {
    question.hidden = !asks
    if (again) again.hidden = asks
  }
  const known = read(key)
  show(known === null)
  if (known === 'yes') measure(id)
  for (const button of question.querySelectorAll('button')) {
    button.addEventListener('click', () => {
      const choice = button.value === 'yes' ? 'yes' : 'no'
      write(key, choice)
      if (choice === 'yes') measure(id)
      else stop(id)
      show(false)
      again?.focus({ preventScroll: true })
    })
  }
  again?.addEventListener('click', () => {
    show(true)
    question.querySelector('button')?.focus()
  })
}

function read(key: string): Answer['choice'] | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Answer | null
    return kept !== null && Date.now() - kept.at < KEPT_MS && (kept.choice === 'yes' || kept.choice === 'no') ? kept.choice : null
  } catch {
    return null
  }
}

function write(key: string, choice: Answer['choice']): void {
  try {
    localStorage.setItem(key, JSON.stringify({ choice, at: Date.now() } satisfies Answer))
  } catch {
    // A browser that keeps nothing asks again on the next page.
  }
}

/** The property that stops the reports of Google’s script for an identifier. */
const stopped = (id: string): `ga-disable-${string}` => `ga-disable-${id}`

/** A command for Google's script, which takes nothing but an `arguments` object. */
const argumentsOf: (...command: unknown[]) => IArguments = function (): IArguments {
  // oxlint-disable-next-line prefer-rest-params
  return arguments
}

function measure(id: string): void {
  window[stopped(id)] = false
  // Its script is on the page already.
  if (window.dataLayer !== undefined) return
  window.dataLayer = [argumentsOf('js', new Date()), argumentsOf('config', id, { anonymize_ip: true })]
  const script = document.createElement('script')
  script.async = true
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`
  document.head.append(script)
}

/** Sends nothing more, and forgets the cookies that Google Analytics stored for this site: on its host, or on a domain above. */
function stop(id: string): void {
  window[stopped(id)] = true
  const parts = location.hostname.split('.')
  const domains = parts.map((_, at) => `; domain=.${parts.slice(at).join('.')}`)
  for (const name of document.cookie.split('; ').map((cookie) => cookie.split('=')[0] ?? '')) {
    if (!/^_ga(_|$)/.test(name)) continue
    for (const domain of ['', ...domains]) document.cookie = `${name}=; max-age=0; path=/${domain}`
  }
}
