import type { QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { requireCapability } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import type { Fault } from '@/api/problem'
import { addressFault } from '@/records/form/address'
import { useField } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { ResourceForm } from '@/records/form/ResourceForm'
import { Steps } from '@/ui/Steps'
import { focusFirstFault } from '@/records/form/focus'
import type { ResourceForm as Form } from '@/records/form/useResourceForm'
import type { ImportSource } from '@/api/types'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import classes from './imports.module.css'
import { How, isServer, What, Where } from './Options'
import { useImportWords, useNewImportForm } from './source-form'

export { texts } from './imports'

export const load = ({ queryClient }: { queryClient: QueryClient }): Promise<void> => requireCapability(queryClient, 'content.import')

/** `/settings/imports-parcours/new`: three steps, which must all be filled in; then a trial run that writes nothing. */
export function Page() {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('title'), link: { to: '/settings/imports-parcours' } },
    { label: t('new') },
  ])
  const shown = useState(0)
  // The API key is not a field of the form: the form is stored as a draft on this device, and the key would be readable there.
  const [key, setKey] = useState('')
  const form = useNewImportForm({
    key,
    reveal: (path) => shown[1](stepOf(path)),
    onMade: (made) =>
      void navigate({
        to: '/settings/imports-parcours/$id',
        params: { id: String(made.id) },
        search: { tab: 'mapping' },
        ignoreBlocker: true,
      }),
  })
  const words = useImportWords([])
  return (
    <div className={classes['page']}>
      <PageHeader title={t('new')} facts={t('lead')} />
      <div className={classes['new']}>
        <Card>
          <ResourceForm form={form} inside saveError={t('step.saveError')} {...words}>
            <NewSteps form={form} shown={shown} keyWords={key} onKey={setKey} />
          </ResourceForm>
        </Card>
      </div>
    </div>
  )
}

/** The faults that the server would find in the addresses: shown at their step. */
function addressFaults(url: string, host: string | null): Fault[] {
  const [ofUrl, ofHost] = [addressFault(url), addressFault(host)]
  const elsewhere = url !== '' && (host ?? '') !== '' && ofUrl === undefined && ofHost === undefined && !url.startsWith(host ?? '')
  return [
    ...(ofUrl === undefined ? [] : [{ field: '/url', code: ofUrl, params: {} }]),
    ...(elsewhere ? [{ field: '/url', code: 'validation/url-host', params: { host } }] : []),
    ...(ofHost === undefined ? [] : [{ field: '/host', code: ofHost, params: {} }]),
  ]
}

/** The step of a field. */
const stepOf = (path: string): number =>
  path === 'name' || path === 'kind' ? 0 : path === 'url' || path === 'host' || path === 'file' || path === 'key' ? 1 : 2

interface NewStepsProps {
  form: Form<ImportSource, Values>
  shown: readonly [number, (at: number) => void]
  keyWords: string
  onKey: (key: string) => void
}

function NewSteps({ form, shown, keyWords, onKey }: NewStepsProps) {
  const { t } = useTranslation('imports')
  const name = useField<string>('name').value
  const kind = useField<string | null>('kind').value
  const url = useField<string | null>('url').value ?? ''
  const file = useField<unknown>('file').value
  const host = useField<string | null>('host').value
  const keyError = useField<unknown>('key').error
  const wrong = addressFaults(url, host)
  const hasOrigin = url.trim() !== '' || (file instanceof File && !isServer(kind))
  const refuse = () => {
    form.store.setFaults(wrong)
    focusFirstFault(hasOrigin ? form.store.faultPaths() : ['url'])
  }
  const step = (key: 'what' | 'where' | 'how', incomplete: boolean, content: ReactNode) => ({
    title: t(`step.${key}`),
    incomplete,
    content,
  })
  const where = (
    <Where>
      {url.trim() !== '' && (
        <Field label={t('field.key')} hint={t('hint.key')} error={keyError} path="key">
          {(wiring) => <PasswordInput {...wiring} value={keyWords} onChange={onKey} autoComplete="off" />}
        </Field>
      )}
    </Where>
  )
  return (
    <Steps
      steps={[
        step('what', name.trim() === '' || kind === null, <What />),
        {
          ...step('where', !hasOrigin, where),
          missing: t(isServer(kind) ? 'step.noAddress' : 'step.noOrigin'),
          wrong: wrong.length,
          refuse,
        },
        step('how', false, <How />),
      ]}
      shown={shown}
      onLast={() => void form.save()}
      last={
        <Button type="submit" look="primary" busy={form.saving}>
          {t('step.create')}
        </Button>
      }
    />
  )
}
