import type { QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SitSource } from '@/api/types'
import { requireCapability } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { ResourceForm } from '@/records/form/ResourceForm'
import type { ResourceForm as Form } from '@/records/form/useResourceForm'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { Options } from './Options'
import classes from './sit.module.css'
import { useNewSitForm, useSitWords } from './source-form'

export { texts } from './data'

export const load = ({ queryClient }: { queryClient: QueryClient }): Promise<void> => requireCapability(queryClient, 'content.import')

/** `/settings/pois-sit/sources/new`: a source, made and read at once. */
export function Page() {
  const { t } = useTranslation('sit')
  const navigate = useNavigate()
  // Apart from the form: a draft on this device would hold it in clear.
  const [key, setKey] = useState('')
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('source.title'), link: { to: '/settings/pois-sit/sources' } },
    { label: t('source.new') },
  ])
  const form = useNewSitForm(
    key,
    (made) =>
      void navigate({ to: '/settings/pois-sit/sources/$id', params: { id: String(made.id) }, search: { tab: 'log' }, ignoreBlocker: true }),
  )
  const words = useSitWords([])
  return (
    <div className={classes['page']}>
      <PageHeader title={t('source.new')} facts={t('source.lead')} />
      <ResourceForm form={form} saveError={t('source.saveError')} {...words}>
        <NewFields form={form} keyWords={key} onKey={setKey} />
      </ResourceForm>
    </div>
  )
}

function NewFields({ form, keyWords, onKey }: { form: Form<SitSource, Values>; keyWords: string; onKey: (key: string) => void }) {
  const { t } = useTranslation('sit')
  const name = useField<string>('name').value
  const kind = useField<string | null>('kind').value
  const url = useField<string | null>('url').value ?? ''
  const file = useField<unknown>('file').value
  const keyError = useField<unknown>('key').error
  const filled = name.trim() !== '' && kind !== null && (url !== '' || file instanceof File)
  return (
    <div className={classes['form']}>
      <Options>
        <Field
          label={t('source.key')}
          hint={kind === 'cirkwi' ? t('source.hint.keyCirkwi') : t('source.hint.key')}
          error={keyError}
          path="key"
        >
          {(wiring) => <PasswordInput {...wiring} value={keyWords} onChange={onKey} autoComplete="off" />}
        </Field>
      </Options>
      <div className={classes['actions']}>
        <ButtonLink to="/settings/pois-sit/sources">{t('common:cancel')}</ButtonLink>
        <Button
          type="submit"
          look="primary"
          busy={form.saving}
          {...(filled ? {} : { disabledReason: t('source.fill'), reasonShown: true })}
        >
          {t('source.create')}
        </Button>
      </div>
    </div>
  )
}
