import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { useCauseGone } from '@/records/form/useCauseGone'
import { closeLoop, removeSpur, sayLoop } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { type EditorState, isLoop, present } from '../editor/state'
import { endsDistanceM } from '../logic/locate'
import { isClosed, isPending, lengthM, workingLine } from '../logic/revision'
import { type Spur, newSpur } from '../logic/spur'
import { bareKm, useReason } from '../words'
import { SaveRefused } from './SaveRefused'

/** Notices about the whole trace, over the map: a refusal, a question, a draft, a lock. On a phone the refusal to save is at its button. */
export function Notices({ narrow = false }: { narrow?: boolean }) {
  return (
    <>
      <Locked />
      <Found />
      {!narrow && <SaveRefused />}
      <Refused />
      <Spurs />
      <Ends />
    </>
  )
}

function Locked() {
  const { t } = useTranslation('trace')
  const parcours = useEditorState((state) => state.parcours)
  if (parcours.editable) return null
  return (
    <Banner tone="lock">
      {parcours.locked_reason === 'role' ? t('warn.role') : t('warn.theirs', { owner: parcours.white_label.name })}
    </Banner>
  )
}

function Found() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const found = useEditorState((state) => state.found)
  const kept = useEditorState((state) => state.draftKeptAtMs)
  const [time] = useState(kept)
  if (found === 'none') return null
  return (
    <Banner
      tone={found === 'older' ? 'warn' : 'info'}
      live="status"
      actions={
        <>
          <Button look="link" size="small" onClick={() => void editor.dropDraft()}>
            {t('warn.draftDrop')}
          </Button>
          <Button look="link" size="small" onClick={() => editor.set({ found: 'none' })}>
            {t('warn.draftKeep')}
          </Button>
        </>
      }
    >
      {t(found === 'older' ? 'warn.draftOlder' : 'warn.draftResumed', { time: format.time(new Date(time ?? kept ?? 0)) })}
    </Banner>
  )
}

function Refused() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const failure = useEditorState((state) => state.failure)
  const reason = useReason()
  const dismiss = () => editor.set({ failure: null })
  // What was drawn without the network or the session is done once it is back.
  useCauseGone(failure?.problem, () => editor.again())
  if (!failure) return null
  const isAway = failure.problem.status === 0 || failure.problem.status === 401
  return (
    <Banner
      tone="danger"
      live="alert"
      actions={
        <>
          {failure.refused && (
            <Button look="link" size="small" onClick={() => (isAway ? editor.again() : editor.takeFree())}>
              {isAway ? t('common:retry') : t('warn.takeFree')}
            </Button>
          )}
          <Button look="link" size="small" onClick={dismiss}>
            {t('warn.dismiss')}
          </Button>
        </>
      }
    >
      {reason(failure.problem)} {t('refused.detail')}
    </Banner>
  )
}

/** A correction that left a way there and back: the notice lets the user take it out. */
function Spurs() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const spur = useEditorState((state) =>
    state.parcours.editable && !isPending(present(state)) ? newSpur(present(state), state.saved) : null,
  )
  const [left, setLeft] = useState<Spur['tip'] | null>(null)
  if (!spur || spur.tip === left) return null
  return (
    <Banner
      tone="warn"
      live="status"
      actions={
        <>
          <Button look="link" size="small" onClick={() => removeSpur(editor, spur)}>
            {t('warn.spurRemove')}
          </Button>
          <Button look="link" size="small" onClick={() => editor.set({ look: spur.tip })}>
            {t('reliability.show')}
          </Button>
          <Button look="link" size="small" onClick={() => setLeft(spur.tip)}>
            {t('warn.spurKeep')}
          </Button>
        </>
      }
    >
      {t('warn.spur', { km: bareKm((spur.from_m + spur.to_m) / 2), distance: format.distance(spur.to_m - spur.from_m) })}
    </Banner>
  )
}

/** As the server asks: ends closer than 100 m or a hundredth of the length look like a loop, farther than 500 m like one way. */
const LOOP_M = 100
const LOOP_SHARE = 0.01
const ONE_WAY_M = 500

interface Question {
  readonly kind: 'loop' | 'oneWay'
  readonly distance: number
}

/** What the ends say against what the parcours says; asked while something is being changed. */
function questionOf(state: EditorState): Question | null {
  const revision = present(state)
  if (!state.parcours.editable || isPending(revision) || revision.legs.length === 0 || isClosed(revision) || state.tool === 'step')
    return null
  const distance = endsDistanceM(workingLine(revision.legs))
  if (distance === null || distance < 1) return null
  // What was declared is not asked again.
  if (distance < Math.max(LOOP_M, LOOP_SHARE * lengthM(revision.legs))) return isLoop(state) === null ? { kind: 'loop', distance } : null
  return isLoop(state) === true && distance > ONE_WAY_M ? { kind: 'oneWay', distance } : null
}

function Ends() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const kind = useEditorState((state) => questionOf(state)?.kind ?? null)
  const distance = useEditorState((state) => questionOf(state)?.distance ?? 0)
  if (kind === null) return null
  const shown = { distance: format.distance(distance) }
  return (
    <Banner
      tone="warn"
      live="status"
      actions={
        <>
          <Button look="link" size="small" onClick={() => closeLoop(editor)}>
            {t(kind === 'loop' ? 'warn.loopYes' : 'warn.oneWayClose')}
          </Button>
          <Button look="link" size="small" onClick={() => sayLoop(editor, false)}>
            {t(kind === 'loop' ? 'warn.no' : 'warn.oneWayYes')}
          </Button>
        </>
      }
    >
      {kind === 'loop' ? t('warn.loop', shown) : t('warn.oneWay', shown)}
    </Banner>
  )
}
