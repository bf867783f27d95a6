import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { useEditorState } from '../editor/context'
import type { SpokenAction as Words } from '../editor/state'
import { bareKm } from '../words'
import { useActionWords } from './action-words'

/** « Étape 3 déplacée, 13,2 km, fiabilité 91,4 %. » : each action is announced once its figures are known. */
export function Announcer() {
  const { t } = useTranslation('trace')
  const announcement = useEditorState((state) => state.said)
  const done = useActionWords()
  const actionOf = (words: Words): string => {
    switch (words.id) {
      case 'added':
      case 'moved':
      case 'slid':
      case 'removed':
      case 'renamed':
        return t(`said.${words.id}`, { step: t('said.step', { label: words.step }) })
      case 'reordered':
        return t('said.reordered', { step: t('said.step', { label: words.step }), km: bareKm(words.km) })
      case 'followed':
      case 'kept':
      case 'ignored':
        return t(`said.${words.id}`, { letter: words.letter })
      case 'tookWay':
      case 'tookLoop':
      case 'avoided':
        return t(`said.${words.id}`, { number: words.number })
      case 'undone':
      case 'redone':
        return t(`said.${words.id}`, { what: done(words.what) })
      default:
        return t(`said.${words.id}`)
    }
  }
  const text = (): string => {
    if (!announcement) return ''
    const action = actionOf(announcement.what)
    if (announcement.length_m === 0) return action
    const distance = format.km(announcement.length_m)
    if (announcement.percent === null) return t('said.with', { action, distance })
    return t('said.withReliability', { action, distance, percent: format.percent(announcement.percent) })
  }
  // The same words twice in a row must be announced twice: a space makes them another text.
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {text()}
      {announcement && announcement.turn % 2 === 1 ? format.nbsp : ''}
    </p>
  )
}
