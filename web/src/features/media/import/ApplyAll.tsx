import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceApi } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { reportResult } from '@/records/list/bulk-report'
import { problemText } from '@/records/problem-text'
import classes from './import.module.css'

/** Applies one credit to all the files that were accepted. */
export function ApplyAll({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation('media')
  const cache = useQueryClient()
  const [copyright, setCopyright] = useState('')
  const send = useMutation({
    mutationFn: () =>
      resourceApi('/api/v1/medias').bulk({ ids: [...ids], action: 'set_copyright', value: copyright.trim(), dry_run: false }),
    onSuccess: async (report) => {
      await cache.invalidateQueries({ queryKey: ['media'] })
      reportResult('set_copyright', ids.length, report)
    },
  })
  return (
    <div className={classes['apply']}>
      <h3>{t('import.applyTo', { count: ids.length })}</h3>
      <Field label={t('field.copyright')} error={send.error ? problemText(send.error) : undefined}>
        {(wiring) => <TextInput {...wiring} value={copyright} onChange={setCopyright} placeholder="© " maxLength={300} />}
      </Field>
      <Button
        size="small"
        busy={send.isPending}
        disabledReason={copyright.trim() === '' ? t('import.creditFirst') : undefined}
        onClick={() => send.mutate()}
      >
        {t('import.apply')}
      </Button>
    </div>
  )
}
