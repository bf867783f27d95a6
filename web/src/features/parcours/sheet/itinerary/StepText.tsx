import { useTranslation } from '@/i18n'
import type { Step } from '@/api/types'
import { format } from '@/ui/format'
import type { StepValue } from '../values'
import classes from './steps.module.css'

/** A step that may only be read. */
export function StepText({
  step,
  label,
  known,
  languages,
}: {
  step: StepValue
  label: string
  known: Step | undefined
  languages: readonly string[]
}) {
  const { t } = useTranslation('trace')
  return (
    <tr className={classes['row']}>
      <td>
        <span className={classes['disc']} data-kind={step.kind} data-plain={label === '' || undefined}>
          {label}
        </span>
      </td>
      <td>{t(`kind.${step.kind}`)}</td>
      {languages.map((code) => (
        <td key={code} lang={code}>
          {step.title[code] || '–'}
          {step.description[code] ? (
            <span className="small muted" style={{ display: 'block' }}>
              {step.description[code]}
            </span>
          ) : null}
        </td>
      ))}
      <td className={`num ${classes['right'] ?? ''}`}>{typeof step.at_m === 'number' ? format.km(step.at_m) : '–'}</td>
      <td className="num">
        {typeof known?.distance_to_next_m === 'number' ? format.distance(known.distance_to_next_m) : '–'}
        {typeof known?.duration_to_next_s === 'number' ? ` · ${format.duration(known.duration_to_next_s)}` : ''}
      </td>
      <td>{format.nbsp}</td>
    </tr>
  )
}
