import type { ReportTaken } from '@/api/types'
import { CURSOR_EVENT } from './profile'
import { shrunk } from './photo'
import { PLACE_EVENT, positionAt, type PageTrace } from './trace-data'

interface Fault { field: string; detail?: string }
interface Problem { detail?: string; errors?: Fault[] }
/** The answer to a report; of the other forms nothing is read. */
type Taken = Partial<ReportTaken>

const french = document.documentElement.lang === 'fr'
const say = (fr: string, en: string) => (french ? fr : en)

/** Makes the forms of the page work: a review, a report, a complaint. Without a script they are not shown. */
export function takeForms(trace: PageTrace | null): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-give]:not([data-taken])')) {
    form.dataset['taken'] = ''
    const place = form.dataset['give'] === 'report' ? placeOf(form, trace) : null
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form, place)
    })
  }
}

async function send(form: HTMLFormElement, place: (() => [number, number] | null) | null): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  const status = form.querySelector<HTMLElement>('[role=status]:not(.place-told)')
  if (button === null || status === null || button.ariaDisabled === 'true') return
  clear(form)
  button.ariaDisabled = 'true'
  status.textContent = say('Envoi…', 'Sending…')
  try {
    const photo = form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0]
    const body: Record<string, unknown> = { ...fields(form), ...(place && { position: place(), has_photo: photo !== undefined }) }
    const answer = await post(form.dataset['url'] ?? '', JSON.stringify(body), 'application/json')
    if (!answer.ok) {
      tell(form, status, await problem(answer))
      return
    }
    const taken = (place === null ? {} : await answer.json()) as Taken
    const sent = photo === undefined ? true : await addPhoto(taken, photo, status)
    if (sent) done(form, status, taken)
  } catch {
    status.textContent = say('L’envoi n’est pas parti. Vérifiez votre connexion et réessayez.', 'It was not sent. Check your connection and try again.')
  } finally {
    button.ariaDisabled = null
  }
}

const post = (url: string, body: BodyInit, type: string) =>
  fetch(`${url}?language=${french ? 'fr' : 'en'}`, { method: 'POST', body, headers: { 'Content-Type': type } })

async function problem(answer: Response): Promise<Problem> {
  const reply: unknown = await answer.json().catch(() => null)
  return typeof reply === 'object' && reply !== null ? reply : {}
}

/** The values of the form by field name; those of `rating` and `parcours_id` as numbers. */
function fields(form: HTMLFormElement): Record<string, unknown> {
  const written: Record<string, unknown> = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string') continue
    const number = name === 'rating' || name === 'parcours_id'
    written[name] = number ? Number(value) : value
  }
  return written
}

/** The report is stored: a photo that is refused is reported, and the report is not sent twice. */
async function addPhoto(taken: Taken, photo: File, status: HTMLElement): Promise<boolean> {
  const answer = await post(`/api/public/v1/field-reports/${taken.photo_token ?? ''}/photo`, await shrunk(photo), 'application/octet-stream')
  if (answer.ok) return true
  const { detail } = await problem(answer)
  done(status.closest('form'), status, taken)
  status.textContent += ` ${say('La photo n’a pas été prise :', 'The photo was not taken:')} ${detail ?? ''}`
  return false
}

function done(form: HTMLFormElement | null, status: HTMLElement, taken: Taken): void {
  form?.reset()
  form?.dispatchEvent(new Event('given'))
  form?.querySelector('.fields')?.setAttribute('hidden', '')
  // The page says that the team was informed only when a mail was sent.
  status.textContent = (taken.notified === false ? form?.dataset['kept'] : form?.dataset['done']) ?? ''
  // The button that had the focus is hidden with the fields.
  status.tabIndex = -1
  status.focus()
}

/** Each fault below its field, the first in focus; the rest above the button. */
function tell(form: HTMLFormElement, status: HTMLElement, { detail, errors = [] }: Problem): void {
  status.textContent = detail ?? say('Le serveur n’a pas répondu comme prévu. Réessayez.', 'The server did not answer as it should. Try again.')
  let first: HTMLElement | null = null
  for (const { field, detail: words } of errors) {
    const input = form.querySelector<HTMLInputElement>(`[name="${field.slice(1)}"]`)
    const place = (input?.type === 'radio' ? input.closest('fieldset') : input?.closest('label')) ?? null
    if (input === null || place === null) continue
    const fault = document.createElement('span')
    fault.className = 'fault'
    fault.id = `fault-${form.id}-${field.slice(1)}`
    fault.textContent = words ?? ''
    place.append(fault)
    input.setAttribute('aria-invalid', 'true')
    input.setAttribute('aria-describedby', fault.id)
    first ??= input
  }
  first?.focus()
}

function clear(form: HTMLFormElement): void {
  form.querySelectorAll('.fault').forEach((fault) => fault.remove())
  form.querySelectorAll('[aria-invalid]').forEach((input) => {
    input.removeAttribute('aria-invalid')
    input.removeAttribute('aria-describedby')
  })
}

/** The place of a report: the browser's, a kilometre of the route, or a point of the map. */
function placeOf(form: HTMLFormElement, trace: PageTrace | null): () => [number, number] | null {
  let place: [number, number] | null = null
  const placeStatus = form.querySelector<HTMLElement>('.place-told')
  const km = form.querySelector<HTMLInputElement>('input[data-km]')
  const set = (next: [number, number] | null, words: string) => {
    place = next
    if (placeStatus) placeStatus.textContent = words
    if (next) window.dispatchEvent(new CustomEvent(CURSOR_EVENT, { detail: next }))
  }
  form.querySelector('[data-here]')?.addEventListener('click', () => {
    if (placeStatus) placeStatus.textContent = say('Recherche de votre position…', 'Looking for your position…')
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => set([coords.longitude, coords.latitude], say('Votre position est jointe.', 'Your position is added.')),
      () => set(null, say('Votre position n’est pas connue. Donnez le kilomètre, ou touchez la carte.', 'Your position is not known. Give the kilometre, or touch the map.')),
      { enableHighAccuracy: true, timeout: 15_000 },
    )
  })
  const locate = () => {
    if (km === null) return
    const at = Number(km.value.replace(',', '.')) * 1000
    if (trace === null || km.value.trim() === '' || !Number.isFinite(at)) return set(null, '')
    const endM = trace.along.at(-1) ?? 0
    // The length that the page shows is rounded: it may be typed where it is a little more than the line.
    if (at < 0 || at > Math.ceil(endM / 100) * 100) {
      const end = new Intl.NumberFormat(french ? 'fr-FR' : 'en-US', { maximumFractionDigits: 1 }).format(endM / 1000)
      return set(null, say(`Aucun point n’est joint : le parcours va du km 0 au km ${end}.`, `No point is added: the route goes from km 0 to km ${end}.`))
    }
    const [lon, lat] = positionAt(trace, at)
    if (lon === undefined || lat === undefined) set(null, '')
    else set([lon, lat], say('Ce point du parcours est joint.', 'This point of the route is added.'))
  }
  km?.addEventListener('input', locate)
  // Typed before this script had come.
  if (km !== null && km.value.trim() !== '') locate()
  window.addEventListener(PLACE_EVENT, (event) => {
    const open = form.closest('details')?.open === true
    if (!open || !(event instanceof CustomEvent) || !Array.isArray(event.detail)) return
    const [lon, lat]: unknown[] = event.detail
    if (typeof lon === 'number' && typeof lat === 'number') set([lon, lat], say('Le point touché sur la carte est joint.', 'The point touched on the map is added.'))
  })
  form.addEventListener('given', () => set(null, ''))
  return () => place
}
