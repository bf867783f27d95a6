import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useEffect } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import type { Instruction } from '@/api/types'
import { payload } from '@/api/payload'
import { Count } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { copyText } from '@/ui/copy'
import { format } from '@/ui/format'
import { useCursorStore } from '@/records/map/cursor'
import { useEditor, useEditorState } from '../../editor/context'
import { type EditorState, isFresh, present } from '../../editor/state'
import classes from './guidance.module.css'
import { TurnRow } from './TurnRow'

const none: Instruction[] = []
const turnsOf = (state: EditorState): Instruction[] => state.analysed?.instructions ?? none

/** The sentences of the walk, one after the other, in the language that is shown. */
export default function GuidancePanel({ onReliability }: { onReliability?: () => void }) {
  const { t } = useTranslation('trace')
  const turns = useEditorState(turnsOf)
  const running = useEditorState((state) => state.analysis === 'running' || (state.analysed !== null && !isFresh(state)))
  const copy = () => {
    const lines = turns.map((turn) => `${format.km(turn.at_m)}  ${turn[currentLocale()]}`)
    void copyText(lines.join('\n'), { done: t('guidance.copied'), failed: t('guidance.notCopied') })
  }
  return (
    <>
      <div className={classes['head']}>
        <h2>{t('guidance.title')}</h2>
        {turns.length > 0 && <Count>{turns.length}</Count>}
        {turns.length > 0 && (
          <Button look="ghost" size="small" className="end" icon={<IconCopy size={16} stroke={1.75} aria-hidden />} onClick={copy}>
            {t('guidance.copy')}
          </Button>
        )}
      </div>
      {turns.length > 0 ? <Turns turns={turns} running={running} /> : <Why {...(onReliability ? { onReliability } : {})} />}
    </>
  )
}

function Turns({ turns, running }: { turns: readonly Instruction[]; running: boolean }) {
  const { t } = useTranslation('trace')
  const chosen = useEditorState((state) => state.turn)
  const editor = useEditor()
  const cursor = useCursorStore()
  useEffect(
    () => () => {
      editor.set({ turn: null })
      cursor.set(null, 'list')
    },
    [editor, cursor],
  )
  const at = Math.max(
    0,
    turns.findIndex((turn) => turn === chosen),
  )
  return (
    <div className={classes['scroll']} aria-busy={running}>
      {/* Arrows go from one to the next: the list is one stop of the Tab key. */}
      <ol className={classes['list']} data-old={running || undefined} aria-label={t('guidance.list')}>
        {turns.map((turn, rank) => (
          <TurnRow key={`${rank} ${turn.at_m}`} turn={turn} chosen={turn === chosen} reached={rank === at} />
        ))}
      </ol>
    </div>
  )
}

type Reason = 'nothing' | 'running' | 'source' | 'failed' | 'low' | 'none'

function reasonOf(state: EditorState): Reason {
  const revision = present(state)
  if (revision.legs.length === 0) return 'nothing'
  if (revision.mode === 'source') return 'source'
  if (state.analysis === 'failed') return 'failed'
  if (state.analysis === 'running' || !state.analysed) return 'running'
  return state.analysed.reliability_state === 'low' ? 'low' : 'none'
}

/** Why there is no guidance, and what would change it. */
function Why({ onReliability }: { onReliability?: () => void }) {
  const { t } = useTranslation('trace')
  const reason = useEditorState(reasonOf)
  return (
    <div className={classes['why']} aria-busy={reason === 'running'}>
      <p>{t(`guidance.why.${reason}`, { threshold: payload().reliability_threshold })}</p>
      {reason === 'low' && onReliability && (
        <Button size="small" onClick={onReliability}>
          {t('guidance.seeGaps')}
        </Button>
      )}
    </div>
  )
}
