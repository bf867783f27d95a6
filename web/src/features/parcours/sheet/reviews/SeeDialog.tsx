import { useState } from 'react'
import type { FieldReport, ReportDecision, Text } from '@/api/types'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Field } from '@/ui/field/Field'
import { Switch, TextArea } from '@/ui/field/inputs'
import classes from './reviews.module.css'

interface Props {
  opened: boolean
  onClose: () => void
  report: FieldReport
  onSee: (decision: ReportDecision) => Promise<unknown>
}

/** Marks a report as seen; asks whether walkers are warned meanwhile, and in which words. */
export function SeeDialog({ opened, onClose, report, onSee }: Props) {
  const { t } = useTranslation('reviews')
  const [shown, setShown] = useState(report.state === 'new' || report.shown)
  const [warning, setWarning] = useState<Text>(report.warning)
  const { content_languages: languages } = payload()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('reports.seeTitle')}
      confirm={t(shown ? 'reports.seeAndWarn' : 'reports.seeOnly')}
      onConfirm={() => onSee({ action: 'see', shown, warning }).then(onClose, () => undefined)}
    >
      <div className={classes['stack']}>
        <Switch checked={shown} onChange={setShown} label={t('reports.warn')} hint={t('reports.warnHint')} />
        {shown &&
          languages.map((language) => (
            <Field
              key={language}
              label={t('reports.warning', { language: language.toUpperCase() })}
              count={{ now: (warning[language] ?? '').length, max: 300 }}
            >
              {(wiring) => (
                <TextArea
                  {...wiring}
                  lang={language}
                  value={warning[language] ?? ''}
                  onChange={(words) => setWarning({ ...warning, [language]: words })}
                  maxLength={300}
                  rows={2}
                />
              )}
            </Field>
          ))}
      </div>
    </ConfirmDialog>
  )
}
