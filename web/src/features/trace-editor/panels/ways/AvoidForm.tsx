import IconRouteX from '@tabler/icons-react/dist/esm/icons/IconRouteX.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { useTouch } from '@/ui/usePhone'
import { useEditor, useEditorState } from '../../editor/context'
import { present } from '../../editor/state'
import { isPending, lengthM } from '../../logic/revision'
import { bareKm } from '../../words'
import { KmField, kmOf, outside } from '../KmField'
import classes from './ways.module.css'
import { stepLabels } from '@/records/parcours/step-labels'

/** Between which kilometres the way is kept out of: two presses on the trace, or two numbers. */
export function AvoidForm() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const touch = useTouch()
  const length = useEditorState((state) => lengthM(present(state).legs))
  const steps = useEditorState((state) => present(state).steps)
  const pending = useEditorState((state) => isPending(present(state)))
  const marks = useEditorState((state) => state.marks)
  const order = marks.toSorted((a, b) => a - b)
  const [from, setFrom] = useState(kmOf(order[0] ?? null))
  const [to, setTo] = useState(kmOf(order[1] ?? null))
  if (length === 0) return <p className={classes['note']}>{t('ways.noTrace')}</p>
  const [a, b] = [(from ?? 0) * 1000, Math.min((to ?? 0) * 1000, length)].toSorted((one, other) => one - other)
  if (a === undefined || b === undefined) return null
  const labels = stepLabels(steps)
  const inside = from === null || to === null ? -1 : steps.findIndex((one) => one.at_m > a + 1 && one.at_m < b - 1)
  const bad = from === null || to === null || outside(from, length) || outside(to, length) || b - a < 1
  const reason = bad ? t('avoid.bad', { max: bareKm(length) }) : inside >= 0 ? t('avoid.step', { step: labels[inside] ?? '' }) : undefined
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined && !pending) editor.propose({ kind: 'avoid', profile: present(editor.get()).profile, from_m: a, to_m: b })
      }}
    >
      <p className={classes['hint']}>{t(touch ? 'avoid.hintTouch' : 'avoid.hint')}</p>
      <div className={classes['pair']}>
        <KmField label={t('trimming.from')} value={from} onChange={setFrom} bad={outside(from, length)} length={length} />
        <KmField label={t('trimming.to')} value={to} onChange={setTo} bad={outside(to, length)} length={length} />
      </div>
      <Button
        type="submit"
        look="soft"
        icon={<IconRouteX size={16} stroke={1.75} aria-hidden />}
        disabledReason={reason}
        reasonShown={from !== null && to !== null}
      >
        {bad ? t('avoid.go') : t('avoid.goFor', { distance: format.distance(b - a) })}
      </Button>
    </form>
  )
}
