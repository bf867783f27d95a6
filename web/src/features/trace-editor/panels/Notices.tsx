import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { closeLoop } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { type EditorState, present } from '../editor/state'
import { endsDistanceM } from '../logic/locate'
import { isClosed, isPending, lengthM, workingLine } from '../logic/revision'
import { useReason } from '../words'

/** What concerns the trace as a whole, over the map: a refusal, a question, a draft, a lock. */
export function Notices() {
  return (
    <>
      <Locked />
      <Found />
      <Refused />
      <Ends />
    </>
  )
}

function Locked() {
  const { t } = useTranslation('trace')
  const parcours = useEditorState((state) => state.parcours)
  if (parcours.editable) return null
  return <Banner tone="lock">{parcours.locked_reason === 'role' ? t('warn.role') : t('warn.theirs', { owner: parcours.white_label.name })}</Banner>
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
  if (!failure) return null
  return (
    <Banner
      tone="danger"
      live="alert"
      actions={
        <>
          {failure.refused && failure.problem.status !== 0 && (
            <Button look="link" size="small" onClick={() => editor.takeFree()}>
              {t('warn.takeFree')}
            </Button>
          )}
          <Button look="link" size="small" onClick={() => editor.set({ failure: null })}>
            {t('warn.dismiss')}
          </Button>
        </>
      }
    >
      {reason(failure.problem)} {t('refused.detail')}
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
  if (!state.parcours.editable || isPending(revision) || revision.legs.length === 0 || isClosed(revision) || state.tool === 'step') return null
  const distance = endsDistanceM(workingLine(revision.legs))
  if (distance === null || distance < 1) return null
  if (distance < Math.max(LOOP_M, LOOP_SHARE * lengthM(revision.legs))) return state.parcours.is_loop === true && distance < 5 ? null : { kind: 'loop', distance }
  return state.parcours.is_loop === true && distance > ONE_WAY_M ? { kind: 'oneWay', distance } : null
}

function Ends() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const kind = useEditorState((state) => questionOf(state)?.kind ?? null)
  const distance = useEditorState((state) => questionOf(state)?.distance ?? 0)
  const [answered, setAnswered] = useState<string | null>(null)
  if (kind === null || answered === kind) return null
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
          <Button look="link" size="small" onClick={() => setAnswered(kind)}>
            {t(kind === 'loop' ? 'warn.no' : 'warn.oneWayYes')}
          </Button>
        </>
      }
    >
      {kind === 'loop' ? t('warn.loop', shown) : t('warn.oneWay', shown)}
    </Banner>
  )
}
