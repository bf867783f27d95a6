import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import type { WhiteLabel } from '@/api/types'
import { resourceApi, resources } from '@/api/resource'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { problemText } from '@/records/problem-text'
import { siteOf } from './code'

const whiteLabels = resourceApi<WhiteLabel>(resources.white_label.path)

/** The site where the code is pasted, allowed in the same step. Users who may not change the white-label see who can. */
export function AllowSite({ whiteLabel }: { whiteLabel: number }) {
  const { t } = useTranslation('widget')
  const queryClient = useQueryClient()
  const may = useCan('settings.manage')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const allow = useMutation({
    mutationFn: async (site: string) => {
      const { version, allowed_origins: known } = await whiteLabels.get(whiteLabel)
      if (!known.includes(site)) await whiteLabels.save(whiteLabel, version, { allowed_origins: [...known, site] })
      return site
    },
    onSuccess: async () => {
      setTyped('')
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['widget', whiteLabel] }),
        queryClient.invalidateQueries({ queryKey: ['white_label'] }),
      ])
    },
  })
  if (!may) return <p className="small muted">{t('originsAsk')}</p>
  const submit = () => {
    const site = siteOf(typed)
    setWrong(site === null)
    if (site !== null) allow.mutate(site)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    submit()
  }
  const error = wrong ? t('originsWrong') : allow.error === null ? undefined : problemText(allow.error)
  return (
    // Not a form: the form of the steps is around it, and Enter would submit that one.
    <div>
      <Field label={t('originsNew')} error={error}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://www.mairie.fr"
            value={typed}
            onChange={setTyped}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <Button size="small" busy={allow.isPending} onClick={submit}>
        {t('originsAllow')}
      </Button>
      <p role="status" className="small">
        {allow.isSuccess ? t('originsAllowed', { site: allow.data }) : ''}
      </p>
    </div>
  )
}
