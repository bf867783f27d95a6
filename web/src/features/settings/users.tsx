import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useMutation } from '@tanstack/react-query'
import { useContext, useState, type ReactElement } from 'react'
import { api, unwrap } from '@/api/client'
import type { User } from '@/api/types'
import { useCan, useMe } from '@/api/session'
import { translate, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { ReadOnly } from '@/ui/field/Field'
import { AddressFields } from '@/records/form/AddressFields'
import { SelectField } from '@/records/form/choice-fields'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { RecordField, RecordsField } from '@/records/form/record-fields'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { nameColumn, textColumn, useBasicSorts } from '@/records/resource/columns'
import { isEditable, labelOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import { resourceApi } from '@/api/resource'
import classes from '@/records/resource/resource.module.css'

const base = '/api/v1/users'
const roles = ['reader', 'editor', 'agency', 'admin', 'superadmin'] as const

const def: ResourceDef<User> = {
  kind: 'user',
  queryKey: ['user'],
  base,
  path: '/settings/users',
  placeOf: (id) => `/settings/users/${id}`,
  area: 'people',
  group: 'settings',
  may: 'users.manage',
  abilities: { history: true, uses: true },
  titleOf: ({ first_name, last_name, email }) => `${first_name} ${last_name}`.trim() || email,
  list: {
    config: { filterKeys: ['role', 'status', 'structure'], defaultSort: 'title' },
    useColumns() {
      const { t } = useTranslation('people')
      return [
        nameColumn(def, { facts: ({ email }) => email }),
        { key: 'role', header: labelOf('people', 'role'), width: '18%', sort: 'role', render: ({ role }) => t(`role.${role}`) },
        {
          key: 'structure',
          header: labelOf('people', 'structure_id'),
          width: '22%',
          phone: 'hidden',
          render: ({ structure }) => structure?.name ?? '–',
        },
        { key: 'status', header: labelOf('people', 'status'), width: '110px', render: (user) => <Status user={user} /> },
        {
          key: 'last_login_at',
          header: labelOf('people', 'last_login_at'),
          width: '140px',
          sort: 'last_login_at',
          phone: 'hidden',
          render: ({ last_login_at: at }) => (at ? <span title={format.instant(at)}>{format.ago(at)}</span> : t('never')),
        },
        textColumn('people', 'city', '14%'),
      ]
    },
    hidden: ['city'],
    useFilters() {
      const { t } = useTranslation('people')
      return [
        {
          key: 'role',
          label: labelOf('people', 'role'),
          kind: 'many',
          choices: roles.map((role) => ({ value: role, label: t(`role.${role}`) })),
        },
        { key: 'structure', label: labelOf('people', 'structure_id'), kind: 'record', base: '/api/v1/structures', queryKey: ['structure'] },
        {
          key: 'status',
          label: labelOf('people', 'status'),
          kind: 'one',
          choices: (['active', 'blocked'] as const).map((status) => ({ value: status, label: t(`status.${status}`) })),
        },
      ]
    },
    useSorts: () => useBasicSorts(),
  },
  form: {
    plain: true,
    toValues: (record) => ({
      first_name: record?.first_name ?? '',
      last_name: record?.last_name ?? '',
      email: record?.email ?? '',
      phone: record?.phone ?? null,
      address: record?.address ?? null,
      postcode: record?.postcode ?? null,
      city: record?.city ?? null,
      country: record?.country ?? 'FR',
      role: record?.role ?? 'editor',
      structure_id: record?.structure_id ?? null,
      white_label_ids: record?.white_label_ids ?? [],
      locale: record?.locale ?? 'fr',
      billing_client_id: record?.billing_client_id ?? null,
    }),
    sections: [
      { key: 'identity', names: ['first_name', 'last_name', 'email', 'phone'], Fields: Identity },
      { key: 'rights', names: ['role', 'structure_id', 'white_label_ids'], Fields: Rights },
      { key: 'reach', names: ['address', 'postcode', 'city', 'country'], Fields: AddressFields },
      { key: 'account', names: ['locale', 'billing_client_id'], Fields: Account },
    ],
    Facts,
    Actions,
    historyValues: ({ role, locale, status }) => ({
      role: translate(`people:role.${role}`),
      locale: translate(`people:locale.${locale}`),
      status: translate(`people:status.${status}`),
    }),
  },
}

/** The state of the account: active, blocked, or invited (without a password yet). */
function Status({ user: { status, has_password: hasPassword } }: { user: User }) {
  const { t } = useTranslation('people')
  if (status === 'blocked')
    return (
      <Badge tone="danger" icon={IconLock}>
        {t('status.blocked')}
      </Badge>
    )
  if (!hasPassword)
    return (
      <Badge tone="info" icon={IconMail}>
        {t('status.invited')}
      </Badge>
    )
  return (
    <Badge tone="ok" icon={IconCircleCheck}>
      {t('status.active')}
    </Badge>
  )
}

function Facts({ record }: { record: User }) {
  const { t } = useTranslation('people')
  const { last_login_at: seen, invited_at: invited } = record
  return (
    <>
      <Status user={record} />
      <span>{t(`role.${record.role}`)}</span>
      {seen ? (
        <span title={format.instant(seen)}>{t('lastLogin', { when: format.ago(seen) })}</span>
      ) : (
        invited && <span title={format.instant(invited)}>{t('invited', { when: format.ago(invited) })}</span>
      )}
      <span>
        {t('totp')} {t(record.totp_enabled ? 'totpOn' : 'totpOff')}
      </span>
    </>
  )
}

/** Sends the one-time link again, turns the second factor off, ends the sessions, blocks or unblocks. Takes effect at once, without the
 * form's save. */
function Actions({ record, cacheRecord }: { record: User; cacheRecord: (user: User) => void }) {
  const { t } = useTranslation('people')
  const me = useMe()
  const may = useCan('users.manage')
  if (!may || !isEditable(record) || me.id === record.id) return null
  const blocked = record.status === 'blocked'
  const name = def.titleOf(record)
  const path = { params: { path: { id: record.id } } }
  const setStatus = (status: User['status']) => () => resourceApi<User>(base).save(record.id, record.version, { status })
  const saved = { done: t('resource:entity.user.saved'), failed: t('resource:entity.user.saveError'), cacheRecord }
  return (
    <>
      {!record.has_password && !blocked && (
        <Action
          label={t(record.invited_at ? 'inviteAgain' : 'invite')}
          icon={<IconMail size={18} stroke={1.75} aria-hidden />}
          send={() => unwrap(api.POST('/api/v1/users/{id}/invitation', path))}
          done={t('inviteSent', { email: record.email })}
          failed={t('inviteFailed')}
          cacheRecord={cacheRecord}
        />
      )}
      {record.totp_enabled && (
        // For a user who lost their telephone.
        <Action
          label={t('totpDrop')}
          question={t('totpDropAsk', { name })}
          send={() => unwrap(api.DELETE('/api/v1/users/{id}/totp', path))}
          done={t('totpDropped')}
          failed={t('totpDropFailed')}
          cacheRecord={cacheRecord}
        />
      )}
      {record.has_password && !blocked && (
        // For example when a device was lost.
        <Action
          label={t('sessionsEnd')}
          question={t('sessionsEndAsk', { name })}
          send={() => unwrap(api.DELETE('/api/v1/users/{id}/sessions', path))}
          done={t('sessionsEnded')}
          failed={t('sessionsEndFailed')}
          cacheRecord={cacheRecord}
        />
      )}
      {/* One button, before and after: it keeps the focus. */}
      <Action
        {...(blocked
          ? { label: t('unblock'), send: setStatus('active') }
          : { label: t('block'), title: t('blockTitle'), question: t('blockAsk', { name }), send: setStatus('blocked') })}
        {...saved}
      />
    </>
  )
}

interface ActionProps {
  label: string
  icon?: ReactElement
  /** Asked before it is sent; without it, the button sends at once. */
  question?: string
  /** The title of the question; default: the label. */
  title?: string
  send: () => Promise<User | undefined>
  /** The message after it. */
  done: string
  /** What failed, in the message of a refusal. */
  failed: string
  cacheRecord: (user: User) => void
}

/** A button that changes the account at once, after a question where it has one. */
function Action({ label, icon, question, title = label, send, done, failed, cacheRecord }: ActionProps) {
  const { t } = useTranslation('resource')
  const [asking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: send,
    onSuccess: (user) => {
      setAsking(false)
      if (user !== undefined) cacheRecord(user)
      toast({ text: done })
    },
    onError: (error) => {
      setAsking(false)
      toastError(t('because', { what: failed, why: problemText(error) }))
    },
  })
  return (
    <>
      <Button icon={icon} busy={change.isPending} onClick={() => (question === undefined ? change.mutate() : setAsking(true))}>
        {label}
      </Button>
      {asking && question !== undefined && (
        <ConfirmDialog
          opened
          danger
          onClose={() => setAsking(false)}
          title={title}
          confirm={label}
          onConfirm={() => change.mutateAsync().catch(() => undefined)}
        >
          <p>{question}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Identity({ record, f }: { record: User | null; f: FieldOf }) {
  const { t } = useTranslation('people')
  return (
    <>
      {record === null && <Banner>{t('inviteHint')}</Banner>}
      <div className={classes['two']}>
        <TextField {...f('first_name')} />
        <TextField {...f('last_name')} required />
      </div>
      <div className={classes['two']}>
        <TextField {...f('email')} type="email" inputMode="email" required />
        <TextField {...f('phone')} />
      </div>
    </>
  )
}

function Rights({ record, f }: { record: User | null; f: FieldOf }) {
  const { t } = useTranslation('people')
  const me = useMe()
  const role = useField<User['role']>('role').value
  const structure = useField<number | null>('structure_id').value ?? me.structure.id
  const above = me.role === 'superadmin'
  // Only a superadmin may give the role superadmin; a user who has it keeps it in the list.
  const mine = roles.filter((one) => one !== 'superadmin' || above || record?.role === one)
  const opensAll = role === 'superadmin' || role === 'admin'
  const theirs = role === 'superadmin' ? {} : { query: { structure: String(structure) } }
  // The server lets no one change their own role, structure or status (`user/not-yourself`).
  const isSelf = record?.id === me.id
  const locked = useContext(ReadOnlyContext)
  return (
    <>
      {isSelf && !locked && <p className="small muted">{t('ownRights')}</p>}
      {isSelf ? (
        <ReadOnly label={f('role').label}>{t(`role.${role}`)}</ReadOnly>
      ) : (
        <SelectField
          {...f('role')}
          required
          hint={t(`roleHint.${role}`)}
          choices={mine.map((one) => ({ value: one, label: t(`role.${one}`) }))}
        />
      )}
      {above && !isSelf ? (
        <RecordField {...f('structure_id')} resource="structure" required />
      ) : (
        <ReadOnly label={f('structure_id').label}>{record?.structure?.name ?? me.structure.name}</ReadOnly>
      )}
      <RecordsField
        {...f('white_label_ids')}
        resource="white_label"
        required={!opensAll}
        {...theirs}
        {...(opensAll ? { hint: t(`opens.${role}`) } : {})}
      />
    </>
  )
}

function Account({ f }: { f: FieldOf }) {
  const { t } = useTranslation('people')
  return (
    <div className={classes['two']}>
      <SelectField
        {...f('locale')}
        required
        choices={(['fr', 'en'] as const).map((code) => ({ value: code, label: t(`locale.${code}`) }))}
      />
      <TextField {...f('billing_client_id')} />
    </div>
  )
}

export const users = pagesOf(def)
