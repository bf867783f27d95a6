import { Menu } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { payload } from '@/api/payload'
import type { CatalogueRecord } from '@/api/resource'
import { useCan, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import type { AnyKey } from '@/i18n/resources'
import { barHeightRef } from '@/ui/bar-height'
import { IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { MenuItem } from '@/ui/menu/MenuItem'
import { LanguagesProvider, LanguageSwitch } from '@/records/form/fields'
import { useDirtyCount, useFaultCount } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { plainValue } from '@/records/form/plain-value'
import { ReadOnlyContext } from '@/records/form/read-only'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import type { FormStore } from '@/records/form/store'
import { useResourceForm, type ResourceForm as Form } from '@/records/form/useResourceForm'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { TranslateSheet } from '@/records/translation/lazy'
import { textKindOf } from '@/records/translation/texts'
import { apiOf, isEditable, labelOf, mayReadHistory, saveErrorOf, type FieldOf, type ResourceDef, type Section } from './define'
import { reportForgottenKey } from '@/records/key/forgotten-key'
import { prefillOf, recordOf, useCacheRecord } from './queries'
import { referenceWords } from './reference-words'
import classes from './resource.module.css'
import { useDeleteRefusal } from './useDeleteRefusal'

const RecordHistory = lazyDialog(() => import('./RecordHistory'))
const readDelete = () => import('./RecordDelete')
const RecordDelete = lazyDialog(readDelete)

type Row = { id: number; version: number }

/** One record, to be looked at and changed. */
export function RecordPage<R extends CatalogueRecord, L extends Row>({ def }: { def: ResourceDef<R, L> }) {
  const id = Number(useParams({ strict: false })['id'])
  const record = useSuspenseQuery(recordOf<R, L>(def, id)).data
  return (
    <LanguagesProvider>
      <RecordForm key={id} def={def} record={record} />
    </LanguagesProvider>
  )
}

/** A record that is being made. */
export function NewPage<R extends CatalogueRecord, L extends Row>({ def }: { def: ResourceDef<R, L> }) {
  const search: Record<string, string> = useSearch({ strict: false })
  const { data: begun } = useSuspenseQuery(prefillOf(def, search))
  return (
    <LanguagesProvider>
      <RecordForm def={def} record={null} begun={begun} />
    </LanguagesProvider>
  )
}

/** Any value of the form in words: by the form's own function, else the names of the records it refers to, else the plain value. */
const wordsOf =
  <R extends CatalogueRecord, L extends Row>({ form }: ResourceDef<R, L>) =>
  (path: string, value: unknown): ReactNode =>
    form.valueWords?.(path, value) ?? referenceWords(path, value, form.pointsTo) ?? plainValue(value)

const cardId = (key: string) => `section-${key}`

function RecordForm<R extends CatalogueRecord, L extends Row>({
  def,
  record,
  begun,
}: {
  def: ResourceDef<R, L>
  record: R | null
  begun?: Values
}) {
  const { t } = useTranslation('resource')
  const me = useMe()
  const navigate = useNavigate()
  const cacheRecord = useCacheRecord<R, L>(def)
  const may = useCan(def.may)
  const { kind, form: own, area } = def
  const title = record === null ? t(`entity.${kind}.new`) : def.titleOf(record)
  usePageMeta([
    { label: t(`group.${def.group}`), ...(def.group === 'settings' ? { link: { to: '/settings' } } : {}) },
    { label: t(`entity.${kind}.many`), link: { to: def.path } },
    { label: title },
  ])
  const form: Form<R, Values> = useResourceForm<R, Values>({
    kind,
    record,
    toValues: (of) => (of === null ? { ...own.toValues(null), ...begun } : own.toValues(of)),
    blank: own.toValues(null),
    // The values of the form have the names of the record's fields.
    titleOf: (values) => def.titleOf(values as unknown as R),
    save: (patch, version) => {
      // A new record is sent whole: unchanged defaults of the form are choices too.
      const whole = record === null ? written(form.store.values) : patch
      const body = own.toBody?.(whole, record) ?? whole
      return record === null || version === null ? apiOf<R, L>(def).create(body) : apiOf<R, L>(def).save(record.id, version, body)
    },
    ancestor: async (version) => ({ ...record, ...(await apiOf<R, L>(def).revision(record?.id ?? 0, version)).record }),
    onSaved: (saved) => {
      cacheRecord(saved)
      toast({ text: t(`entity.${kind}.saved`) })
      reportForgottenKey(record, saved)
      if (record === null) void navigate({ to: def.placeOf(saved.id), ignoreBlocker: true, replace: true })
    },
  })
  const f = useCallback<FieldOf>((name) => ({ name, label: labelOf(area, name) }), [area])
  const fieldLabel = useCallback((path: string) => labelOf(area, path), [area])
  const textKind = own.plain === true ? undefined : textKindOf(kind, def.base)
  const sections = useMemo(
    () => own.sections.filter(({ onlySaved, has }) => (record === null ? onlySaved !== true : (has?.(record) ?? true))),
    [own.sections, record],
  )
  const editable = may && (record === null || isEditable(record))
  const { Notices, Actions, Facts, Picture } = own
  const Aside = record === null || own.hasAside?.(record) !== false ? own.Aside : undefined
  const withNav = sections.length > 2
  return (
    <ReadOnlyContext value={!editable}>
      <div className={classes['sheet']}>
        <div className={classes['head']}>
          <PageHeader
            title={title}
            {...(Picture && record ? { picture: <Picture record={record} /> } : {})}
            {...(Facts && record ? { facts: <Facts record={record} /> } : {})}
            actions={
              <>
                {own.plain !== true && <LanguageSwitch />}
                {Actions && record && <Actions record={record} cacheRecord={cacheRecord} />}
                {record && <RecordMenu def={def} record={record} onDeleted={() => navigate({ to: def.path, ignoreBlocker: true })} />}
                {editable && (
                  <span ref={barHeightRef} className={classes['saveBar']}>
                    <SaveButton form={form} create={t(`entity.${kind}.create`)} />
                  </span>
                )}
              </>
            }
          />
        </div>
        <ResourceForm
          form={form}
          texts={textKind && { kind: textKind, id: record?.id ?? null, version: record?.version ?? 0 }}
          saveError={saveErrorOf(def)}
          fieldLabel={fieldLabel}
          fieldValue={wordsOf(def)}
          savedBy={(current: R) => ({
            name: current.updated_by?.id === me.id ? t('yourself') : (current.updated_by?.name ?? t('someone')),
            at: current.updated_at ?? '',
          })}
        >
          <div className={classes['columns']} data-nav={withNav || undefined} data-aside={Aside !== undefined || undefined}>
            {withNav && <SectionNav def={def} sections={sections} store={form.store} />}
            <div className={classes['cards']}>
              {!editable && (
                <Banner tone="lock">
                  {t(!may ? 'readOnlyRole' : record !== null && 'white_label' in record ? 'readOnlyRecord' : 'readOnlyOthers')}
                </Banner>
              )}
              {Notices && record && <Notices record={record} />}
              {textKind !== undefined && editable && payload().content_languages.length > 1 && (
                <span className={classes['translate']}>
                  <TranslateSheet />
                </span>
              )}
              {sections.map(({ key, Fields }) => (
                <Card key={key} id={cardId(key)} title={t(`${area}:section.${key}` as AnyKey)}>
                  <div className={classes['fields']}>
                    <Fields record={record} f={f} />
                  </div>
                </Card>
              ))}
            </div>
            {Aside && (
              <aside className={classes['side']} aria-label={t('beside')}>
                <Aside record={record} />
              </aside>
            )}
          </div>
        </ResourceForm>
        {record?.updated_at !== undefined && (
          <p className={classes['foot']}>
            {record.updated_by
              ? t('foot', { when: format.instant(record.updated_at), by: record.updated_by.name, id: record.id })
              : t('footAlone', { when: format.instant(record.updated_at), id: record.id })}
          </p>
        )}
      </div>
    </ReadOnlyContext>
  )
}

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isBlank))

/** The values that are filled in: the server has defaults for the others. */
const written = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)))

/** The list of sections: a dot where something is unsaved, a sign where something is at fault. */
function SectionNav<R extends CatalogueRecord, L extends Row>({
  def,
  sections,
  store,
}: {
  def: ResourceDef<R, L>
  sections: readonly Section<R>[]
  store: FormStore<Values>
}) {
  const { t } = useTranslation('resource')
  return (
    <nav className={classes['nav']} aria-label={t('sections')}>
      {sections.map(({ key, names }) => (
        <SectionLink key={key} words={t(`${def.area}:section.${key}` as AnyKey)} to={cardId(key)} names={names} store={store} />
      ))}
    </nav>
  )
}

function SectionLink({ words, to, names, store }: { words: string; to: string; names: readonly string[]; store: FormStore<Values> }) {
  const { t } = useTranslation('resource')
  const dirty = useDirtyCount(store, names)
  const faults = useFaultCount(store, names)
  const go = () => {
    const card = document.getElementById(to)
    card?.scrollIntoView({ block: 'start' })
    card?.querySelector<HTMLElement>('input, select, textarea, button, [role="textbox"]')?.focus({ preventScroll: true })
  }
  return (
    <button type="button" data-fault={faults > 0 || undefined} onClick={go}>
      {words}
      {faults > 0 ? (
        <IconAlertCircle size={16} stroke={1.75} aria-label={t('toMend')} />
      ) : (
        dirty > 0 && <span className={classes['dot']} role="img" aria-label={t('unsaved')} />
      )}
    </button>
  )
}

function RecordMenu<R extends CatalogueRecord, L extends Row>({
  def,
  record,
  onDeleted,
}: {
  def: ResourceDef<R, L>
  record: R
  onDeleted: () => Promise<unknown>
}) {
  const { t } = useTranslation('resource')
  const may = useCan(def.may)
  const [shown, setShown] = useState<'history' | 'delete' | null>(null)
  const close = () => setShown(null)
  const refusal = useDeleteRefusal(def, record)
  const allowed = may && isEditable(record)
  const withHistory = def.abilities.history === true && mayReadHistory(record)
  if (!withHistory && def.abilities.remove === false) return null
  return (
    <>
      {/* What the menu leads to is fetched when it opens; what fails here fails again, and is reported, at the press. */}
      <Menu position="bottom-end" shadow="md" zIndex={150} onOpen={() => void readDelete().catch(() => undefined)}>
        <Menu.Target>
          <IconButton
            look="ghost"
            label={t('menuOf', { title: def.titleOf(record) })}
            icon={<IconDotsVertical size={18} stroke={1.75} aria-hidden />}
          />
        </Menu.Target>
        <Menu.Dropdown>
          {withHistory && <Menu.Item onClick={() => setShown('history')}>{t('history:title')}</Menu.Item>}
          {def.abilities.remove !== false && (
            <MenuItem reason={refusal} onClick={() => setShown('delete')}>
              {t('deleteMore')}
            </MenuItem>
          )}
        </Menu.Dropdown>
      </Menu>
      {shown === 'history' && (
        <RecordHistory
          subject={{
            base: def.base,
            queryKey: def.queryKey,
            id: record.id,
            version: record.version,
            editable: allowed,
            nameOf: (field) => labelOf(def.area, field),
            valuesOf: (past) => {
              const then = { ...record, ...past }
              return { ...def.form.toValues(then), ...def.form.historyValues?.(then) }
            },
            words: wordsOf(def),
          }}
          onClose={close}
        />
      )}
      {shown === 'delete' && (
        <RecordDelete
          base={def.base}
          queryKey={def.queryKey}
          record={record}
          title={def.titleOf(record)}
          asksUses={def.abilities.uses === true}
          onClose={close}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}
