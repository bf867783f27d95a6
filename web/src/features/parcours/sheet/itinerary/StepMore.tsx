import { useTranslation } from '@/i18n'
import type { Step, StepKind } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'
import { languageName, NumberField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { RecordsField } from '@/records/form/record-fields'
import { VocabularyField } from '@/records/form/VocabularyField'
import { format } from '@/ui/format'
import { FieldTranslation } from '@/records/translation/lazy'
import classes from './steps.module.css'

/** The part that folds out below a step: its text, the practice from here on, its nights, and the typed figures up to the next step. */
export function StepMore({
  at,
  index,
  kind,
  last,
  known,
  languages,
}: {
  at: string
  index: number
  kind: StepKind
  last: boolean
  known: Step | undefined
  languages: readonly string[]
}) {
  const { t } = useTranslation('sheet')
  return (
    <div className={classes['moreGrid']}>
      {languages.map((code) => (
        <StepDescription
          key={code}
          at={at}
          code={code}
          label={t('steps.description', { place: index + 1, language: languageName(code) })}
        />
      ))}
      <VocabularyField name={`${at}.practice_type_id`} kind="practice_type" label={t('steps.practice')} empty={t('steps.samePractice')} />
      {known?.line_ids !== undefined && (
        <RecordsField name={`${at}.line_ids`} resource="transport_line" label={t('steps.lines')} hint={t('steps.linesHint')} />
      )}
      {kind === 'nights' && <NumberField name={`${at}.nights`} label={t('steps.nights')} />}
      {!last && (
        <>
          <Typed
            at={at}
            field="distance_to_next_typed_m"
            label={t('steps.distance')}
            unit="m"
            scale={1}
            computed={
              known?.distance_to_next_typed_m === null && known.distance_to_next_m !== null
                ? format.distance(known.distance_to_next_m)
                : undefined
            }
          />
          <Typed
            at={at}
            field="duration_to_next_typed_s"
            label={t('steps.duration')}
            unit="min"
            scale={60}
            computed={
              known?.duration_to_next_typed_s === null && known.duration_to_next_s !== null
                ? format.duration(known.duration_to_next_s)
                : undefined
            }
          />
        </>
      )}
    </div>
  )
}

/** A figure that the server works out unless one is typed. */
function Typed({
  at,
  field,
  label,
  unit,
  scale,
  computed,
}: {
  at: string
  field: string
  label: string
  unit: string
  scale: number
  computed: string | undefined
}) {
  const { t } = useTranslation('sheet')
  const { value, set } = useField<number | null>(`${at}.${field}`)
  const hint =
    typeof value === 'number' ? (
      <Button look="link" onClick={() => set(null)}>
        {t('steps.backToComputed')}
      </Button>
    ) : computed === undefined ? (
      t('steps.computedWhenEmpty')
    ) : (
      t('steps.computed', { value: computed })
    )
  return <NumberField name={`${at}.${field}`} label={label} unit={unit} scale={scale} hint={hint} />
}

function StepDescription({ at, code, label }: { at: string; code: string; label: string }) {
  const { value, set, error } = useField<string | undefined>(`${at}.description.${code}`)
  return (
    <Field
      label={label}
      error={error}
      path={`${at}.description.${code}`}
      aside={<FieldTranslation name={`${at}.description`} code={code} />}
    >
      {(wiring) => <TextArea {...wiring} lang={code} spellCheck value={value ?? ''} onChange={set} />}
    </Field>
  )
}
