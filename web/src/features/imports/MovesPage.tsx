import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { SelectField, SwitchField } from '@/records/form/choice-fields'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ResourceForm } from '@/records/form/ResourceForm'
import { focusFirstFault } from '@/records/form/focus'
import { SourceList, SourceRow } from '@/records/source/SourceList'
import classes from './imports.module.css'
import { sourcesQuery, type ListedSource } from './imports'
import { Beside, OriginFile, publications } from './Options'
import { Run } from './Run'
import { useImportWords, useNewImportForm } from './source-form'

export { texts } from './imports'

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  await queryClient.ensureQueryData(sourcesQuery)
}

/** `/settings/demenagement`: the address of a Geotrek, from which a report is made; and the moves that were begun. */
export function Page() {
  const { t } = useTranslation('imports')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('move.title') }])
  const { data, error } = useQuery(sourcesQuery)
  const moves = data?.items.filter(({ kind, url, file }) => kind === 'geotrek' && (url !== null || file !== null))
  return (
    <div className={classes['page']}>
      <PageHeader title={t('move.title')} facts={t('move.lead')} />
      <div className={classes['body']}>
        {(moves === undefined || moves.length > 0 || error !== null) && (
          <section className={classes['part']} aria-labelledby="moves-begun">
            <h2 id="moves-begun">{t('move.started')}</h2>
            <SourceList label={t('move.started')} items={moves} error={error} none={null}>
              {(source) => <Begun key={source.id} source={source} />}
            </SourceList>
          </section>
        )}
        <NewMove />
        <p className="small">
          {t('move.elsewhere')} <Link to="/settings/imports-parcours/new">{t('move.elsewhereLink')}</Link>
        </p>
      </div>
    </div>
  )
}

function Begun({ source }: { source: ListedSource }) {
  const { t } = useTranslation('imports')
  const { id, name, url, file, schedule, last_run: run } = source
  return (
    <SourceRow
      name={
        <Link to="/settings/demenagement/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      }
      address={url ?? file?.name ?? null}
      every={schedule !== 'never' && t(`every.${schedule}`)}
      run={run === null ? <p className="small muted">{t('run.never')}</p> : <Run run={run} />}
      actions={null}
    />
  )
}

/** What a move begins with. */
const preset = { name: 'Geotrek', kind: 'geotrek', takes_pois: true, takes_equipment: true }

function NewMove() {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  // The API key is not a field of the form: the form is stored as a draft on this device, and the key would be readable there.
  const [key, setKey] = useState('')
  const plain = useNewImportForm({
    key,
    preset,
    drafts: 'move',
    reveal: () => undefined,
    onMade: (made) => void navigate({ to: '/settings/demenagement/$id', params: { id: String(made.id) }, ignoreBlocker: true }),
  })
  const { store, save: send } = plain
  // Without an address and without an archive nothing could be read: the source is not made.
  const save = useCallback(() => {
    const { url, file } = store.values
    if ((typeof url === 'string' && url.trim() !== '') || file instanceof File) return send()
    store.setFaults([{ field: '/url', code: 'validation/required', params: {} }])
    focusFirstFault(store.faultPaths())
    return Promise.resolve(false)
  }, [store, send])
  const form = { ...plain, save }
  const words = useImportWords([])
  return (
    <Card title={t('move.formTitle')}>
      <ResourceForm form={form} saveError={t('step.saveError')} {...words}>
        <div className={classes['moveForm']}>
          <p className="small muted">{t('move.formText')}</p>
          <NewMoveFields keyWords={key} onKey={setKey} />
          <div className={classes['actions']}>
            <Button type="submit" look="primary" busy={form.saving}>
              {t('move.begin')}
            </Button>
          </div>
        </div>
      </ResourceForm>
    </Card>
  )
}

function NewMoveFields({ keyWords, onKey }: { keyWords: string; onKey: (key: string) => void }) {
  const { t } = useTranslation('imports')
  const keyError = useField<unknown>('key').error
  const hasAddress = (useField<string | null>('url').value ?? '').trim() !== ''
  return (
    <>
      <TextField name="name" label={t('field.name')} required />
      <TextField name="url" label={t('field.url')} hint={t('hint.url.geotrek')} type="url" inputMode="url" />
      {hasAddress ? (
        <Field label={t('field.key')} hint={t('hint.key')} error={keyError} path="key">
          {(wiring) => <PasswordInput {...wiring} value={keyWords} onChange={onKey} autoComplete="off" />}
        </Field>
      ) : (
        <OriginFile kind="geotrek" />
      )}
      <Beside />
      <SwitchField name="distribute_own" label={t('field.distribute_own')} hint={t('hint.distribute_own')} />
      <SelectField
        name="force_published"
        label={t('field.force_published')}
        choices={publications.map((value) => ({ value, label: t(`publish.${value}`) }))}
      />
    </>
  )
}
