// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { askForAudience } from './audience'

const KEY = 'jalon-audience-G-ABCDEF12'

beforeEach(() => {
  localStorage.clear()
  delete window.dataLayer
  document.head.replaceChildren()
  document.body.innerHTML =
    '<section id="audience" data-id="G-ABCDEF12" hidden><button value="yes">Accepter</button><button value="no">Refuser</button></section><button id="audience-again" hidden></button>'
})

function ask() {
  const question = document.getElementById('audience')
  const again = document.getElementById('audience-again')
  if (!question || !again) throw new Error('the page has no question')
  askForAudience(question)
  const press = (value: string) => question.querySelector<HTMLButtonElement>(`[value=${value}]`)?.click()
  return { question, again, press, scripts: () => [...document.head.querySelectorAll('script')].map(({ src }) => src) }
}

describe('the question of the audience', () => {
  it('loads nothing before the visitor agrees', () => {
    const { question, press, scripts } = ask()
    expect([question.hidden, scripts()]).toEqual([false, []])
    press('yes')
    expect(scripts()).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF12'])
    expect(question.hidden).toBe(true)
  })

  it('loads nothing after a refusal, asks no more, and is asked again at the bottom of the page', () => {
    const first = ask()
    first.press('no')
    expect([first.scripts(), first.question.hidden, first.again.hidden]).toEqual([[], true, false])
    const next = ask()
    expect([next.scripts(), next.question.hidden]).toEqual([[], true])
    next.again.click()
    expect(next.question.hidden).toBe(false)
    expect(document.activeElement?.getAttribute('value')).toBe('yes')
  })

  it('stops measuring when the visitor refuses later, and loads nothing twice', () => {
    const { again, press, scripts } = ask()
    press('yes')
    document.cookie = '_ga_ABC=1; path=/'
    again.click()
    press('no')
    expect(window['ga-disable-G-ABCDEF12']).toBe(true)
    expect(document.cookie).not.toContain('_ga')
    again.click()
    press('yes')
    expect([window['ga-disable-G-ABCDEF12'], scripts().length]).toEqual([false, 1])
  })

  it('keeps the answer for six months', () => {
    localStorage.setItem(KEY, JSON.stringify({ choice: 'yes', at: Date.now() - 170 * 86_400_000 }))
    expect(ask().scripts()).toHaveLength(1)
    document.head.replaceChildren()
    delete window.dataLayer
    localStorage.setItem(KEY, JSON.stringify({ choice: 'yes', at: Date.now() - 200 * 86_400_000 }))
    const { question, scripts } = ask()
    expect([scripts(), question.hidden]).toEqual([[], false])
  })

  it('takes what it cannot read for no answer', () => {
    localStorage.setItem(KEY, '{"choice":')
    expect(ask().question.hidden).toBe(false)
  })
})
