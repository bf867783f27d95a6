import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { Radios, SelectInput } from '@/ui/field/inputs'
import { SearchMany } from '@/ui/select/lazy-select'
import { useVocabulary } from '@/records/form/vocabulary'
import { PickMany, PickOne } from '@/records/picker/lazy-pickers'
import type { Choice, missing } from './code'

const shows = ['parcours', 'list', 'map'] as const
const which = ['all', 'filtered', 'chosen'] as const

interface WhatStepProps {
  choice: Choice
  change: (changed: Partial<Choice>) => void
  fault: ReturnType<typeof missing>['what']
}

/** What the widget shows, and of which white-label. */
export function WhatStep({ choice, change, fault }: WhatStepProps) {
  const { t } = useTranslation('widget')
  const me = useMe()
  const source = {
    base: '/api/v1/parcours',
    queryKey: ['parcours'],
    query: { published: 'true', owner: 'all', white_label: String(choice.whiteLabel) },
  } as const
  const error = (...of: (typeof fault)[]) => (fault !== null && of.includes(fault) ? t(fault) : undefined)
  const several = choice.show === 'list' || choice.show === 'map'
  return (
    <>
      <Radios
        label={t('show.label')}
        value={choice.show}
        onChange={(show) => change({ show })}
        choices={shows.map((value) => ({ value, label: t(`show.${value}`), hint: t(`show.${value}Hint`) }))}
      />
      {fault === 'showMissing' && <p role="alert">{t('showMissing')}</p>}
      {me.white_labels.length > 1 && (
        <Field label={t('whiteLabel')} required>
          {(wiring) => (
            <SelectInput
              {...wiring}
              value={String(choice.whiteLabel)}
              onChange={(id) => change({ whiteLabel: Number(id), color: null, parcours: null, ids: [] })}
              choices={me.white_labels.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          )}
        </Field>
      )}
      {choice.show === 'parcours' && (
        <Field label={t('parcours')} required hint={t('parcoursHint')} error={error('parcoursMissing')}>
          {(wiring) => <PickOne wiring={wiring} {...source} value={choice.parcours} onChange={(parcours) => change({ parcours })} />}
        </Field>
      )}
      {several && (
        <Radios
          label={t('which.label')}
          value={choice.which}
          onChange={(value) => change({ which: value })}
          choices={which.map((value) => ({ value, label: t(`which.${value}`) }))}
        />
      )}
      {several && choice.which === 'filtered' && <Filters choice={choice} change={change} error={error('filterMissing')} />}
      {several && choice.which === 'chosen' && (
        <Field label={t('parcours')} required hint={t('parcoursHint')} error={error('chosenMissing')}>
          {(wiring) => <PickMany wiring={wiring} {...source} value={choice.ids} onChange={(ids) => change({ ids })} />}
        </Field>
      )}
    </>
  )
}

function Filters({ choice, change, error }: Omit<WhatStepProps, 'fault'> & { error: string | undefined }) {
  const { t } = useTranslation('widget')
  const practices = useVocabulary('practice_type')
  const themes = useVocabulary('parcours_theme')
  return (
    <>
      <Field label={t('practices')} error={error}>
        {(wiring) => (
          <SearchMany
            wiring={wiring}
            choices={practices.choices}
            value={choice.practices.map(String)}
            onChange={(ids) => change({ practices: ids.map(Number) })}
          />
        )}
      </Field>
      <Field label={t('themes')} error={error}>
        {(wiring) => (
          <SearchMany
            wiring={wiring}
            choices={themes.choices}
            value={choice.themes.map(String)}
            onChange={(ids) => change({ themes: ids.map(Number) })}
          />
        )}
      </Field>
    </>
  )
}
