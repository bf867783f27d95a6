import { useContext, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import type { ProgressStatus } from '@/api/types'
import { Card } from '@/ui/Card'
import { Field, FieldError, ReadOnly } from '@/ui/field/Field'
import { SelectInput, Switch } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format } from '@/ui/format'
import { useSheet } from '../context'
import { Shown, useShown } from '../Shown'
import classes from './aside.module.css'

const progresses: readonly ProgressStatus[] = ['to_review', 'to_fix', 'on_hold', 'archived']
const priorities = [0, 1, 2] as const

/** Where the parcours is published, the progress of the work on it, and its rank in lists. */
export function DiffusionCard() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const any = useShown(['distribute_own', 'distribute_partners', 'progress_status', 'display_priority'])
  const linked = parcours.white_labels
  if (!any && linked.length === 0) return null
  return (
    <Card title={t('diffusion.title')}>
      <div className={classes['fields']}>
        <Shown field="distribute_own">
          <Flag name="distribute_own" label={t('field.distribute_own')} hint={t('diffusion.ownHint')} />
        </Shown>
        <Shown field="distribute_partners">
          <Flag name="distribute_partners" label={t('field.distribute_partners')} hint={t('diffusion.partnersHint')} />
        </Shown>
        <Shown field="progress_status">
          <Progress />
        </Shown>
        <Shown field="display_priority">
          <Priority />
        </Shown>
        {linked.length > 0 && (
          <p className="small muted">
            {t('diffusion.linked', {
              count: linked.length,
              names: format.list(linked.map(({ name, published }) => (published ? name : t('diffusion.notYet', { name })))),
            })}
          </p>
        )}
      </div>
    </Card>
  )
}

function Flag({ name, label, hint }: { name: 'distribute_own' | 'distribute_partners'; label: string; hint: ReactNode }) {
  const { t } = useTranslation('sheet')
  const { value, set, error } = useField<boolean>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{t(value ? 'yes' : 'no')}</ReadOnly>
  return (
    <div>
      <Switch data-field={name} checked={value} onChange={set} label={label} hint={hint} />
      <FieldError error={error} />
    </div>
  )
}

function Progress() {
  const { t } = useTranslation('sheet')
  const { value, set, error } = useField<ProgressStatus | null>('progress_status')
  const choices = progresses.map((progress) => ({ value: progress, label: t(`progress.${progress}`) }))
  if (useContext(ReadOnlyContext))
    return <ReadOnly label={t('field.progress_status')}>{value === null ? t('progress.none') : t(`progress.${value}`)}</ReadOnly>
  return (
    <Field label={t('field.progress_status')} hint={t('diffusion.progressHint')} error={error} path="progress_status">
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={value}
          onChange={(next) => set(progresses.find((progress) => progress === next) ?? null)}
          choices={choices}
          empty={t('progress.none')}
        />
      )}
    </Field>
  )
}

function Priority() {
  const { t } = useTranslation('sheet')
  const { value, set, error } = useField<0 | 1 | 2>('display_priority')
  if (useContext(ReadOnlyContext)) return <ReadOnly label={t('field.display_priority')}>{t(`priority.${value}`)}</ReadOnly>
  return (
    <Field label={t('field.display_priority')} error={error} path="display_priority">
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={String(value)}
          onChange={(next) => set(priorities.find((priority) => String(priority) === next) ?? 0)}
          choices={priorities.map((priority) => ({ value: String(priority), label: t(`priority.${priority}`) }))}
        />
      )}
    </Field>
  )
}
