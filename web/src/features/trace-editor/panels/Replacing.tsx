import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import type { Position, TraceAnalysis, TraceInspection } from '@/api/types'
import { SelectInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { measure } from '@/records/map/line'
import { useEditor, useEditorState } from '../editor/context'
import type { Pieces } from '../editor/services'
import { shownMeasured } from '../editor/shown'
import { present } from '../editor/state'
import { lineOfPieces } from '../editor/store'
import { type Compared, type Fate, compared } from '../logic/replace'
import { useStepName } from '../words'
import classes from './import.module.css'
import { stepLabels } from '@/records/parcours/step-labels'

export interface ReplacingProps {
  read: TraceInspection
  pieces: Pieces | null
  fates: ReadonlyMap<number, Fate>
  onFates: (fates: ReadonlyMap<number, Fate>) => void
}

/** The effect of a file that replaces the trace: both lines in figures, and each step that must change. */
export function Replacing({ read, pieces, fates, onFates }: ReplacingProps) {
  const { t } = useTranslation('trace')
  const steps = useEditorState((state) => present(state).steps)
  const line = useMemo(() => lineOfPieces(read, pieces), [read, pieces])
  const all = useMemo(() => compared(steps, line), [steps, line])
  const questions = all.filter(({ fates: possible }) => possible.length > 0)
  return (
    <section className={classes['replacing']} aria-label={t('import.replacing.title')}>
      <Figures line={line} ascentM={pieces === null || pieces === 'true' ? read.ascent_m : null} />
      {all.length > questions.length && <p>{t('import.replacing.fits', { count: all.length - questions.length })}</p>}
      {questions.length > 0 && (
        <>
          <h3>{t('import.replacing.steps', { count: questions.length })}</h3>
          <ul className={classes['fates']}>
            {questions.map((one) => (
              <StepFate
                key={one.step.key}
                one={one}
                label={stepLabels(steps)[steps.indexOf(one.step)] ?? ''}
                fate={fates.get(one.step.key) ?? one.fates[0]}
                onFate={(fate) => onFates(new Map(fates).set(one.step.key, fate))}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Figures({ line, ascentM }: { line: readonly Position[]; ascentM: number | null }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const now = useEditorState((state) => shownMeasured(state).lengthM)
  const figures = useEditorState((state) => state.analysed)
  const judged = useQuery({
    queryKey: ['trace-import', line],
    queryFn: ({ signal }) => editor.judge(line, signal),
    staleTime: Infinity,
    retry: false,
  })
  const percent = (of: Pick<TraceAnalysis, 'reliability'> | null | undefined) =>
    of?.reliability
      ? of.reliability.not_calculable || of.reliability.percent === null
        ? t('import.replacing.notCalculable')
        : format.percent(of.reliability.percent)
      : '–'
  const climb = (metres: number | null | undefined) => (typeof metres === 'number' ? format.metres(metres) : '–')
  const rows = [
    {
      name: t('import.replacing.length'),
      before: format.distance(now),
      after: format.distance(judged.data?.distance_m ?? measure(line).lengthM),
    },
    {
      name: t('import.replacing.reliability'),
      before: percent(figures),
      after: judged.isPending ? t('reliability.running') : percent(judged.data),
    },
    { name: t('measures.ascent'), before: climb(figures?.ascent_m), after: climb(judged.data?.ascent_m ?? ascentM) },
  ]
  return (
    <table className={`${classes['figures']} num`}>
      <caption>{t('import.replacing.onMap')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('history.figure')}</th>
          <th scope="col">{t('import.replacing.before')}</th>
          <th scope="col">{t('import.replacing.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function StepFate({ one, label, fate, onFate }: { one: Compared; label: string; fate: Fate | undefined; onFate: (fate: Fate) => void }) {
  const { t } = useTranslation('trace')
  const name = useStepName()(one.step, label)
  return (
    <li>
      <label htmlFor={`fate-${one.step.key}`}>
        <strong>{name}</strong>{' '}
        <span className="num">
          {t(`import.replacing.how.${one.how === 'end' ? 'end' : 'beside'}`, { distance: format.distance(one.offset_m) })}
        </span>
      </label>
      <SelectInput
        id={`fate-${one.step.key}`}
        value={fate ?? ''}
        onChange={(value) => onFate(one.fates.find((known) => known === value) ?? 'beside')}
        choices={one.fates.map((value) => ({ value, label: t(`import.replacing.fate.${value}`) }))}
      />
    </li>
  )
}
