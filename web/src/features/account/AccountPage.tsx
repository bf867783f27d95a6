import { useTranslation } from '@/i18n'
import { useMe } from '@/api/session'
import { Banner } from '@/ui/feedback/Banner'
import { ReadOnly } from '@/ui/field/Field'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import classes from './account.module.css'
import { Keys } from './Keys'
import { Password } from './Password'
import { Sessions } from './Sessions'
import { Tokens } from './Tokens'
import { Totp } from './Totp'

export const texts = ['account', 'people', 'resource']

/** `/account`: identity, sign-in and open sessions of the user. */
export function Page() {
  const { t } = useTranslation('account')
  const { t: tp } = useTranslation('people')
  const me = useMe()
  usePageMeta([{ label: t('title') }])
  const mustSetUp = me.totp_required && !me.totp_enabled
  return (
    <>
      <PageHeader title={t('title')} facts={me.email} />
      <div className={classes['page']}>
        {mustSetUp && <Banner tone="warn">{t('required')}</Banner>}
        <Totp />
        <Password />
        <Sessions />
        <Tokens />
        <Keys />
        <Card title={t('identity')}>
          <div className={classes['facts']}>
            <ReadOnly label={t('name')}>{`${me.first_name} ${me.last_name}`}</ReadOnly>
            <ReadOnly label={t('email')}>
              {/* A long address breaks before its host, not within a word. */}
              {me.email.replace(/@.*/, '')}
              <wbr />
              {/@.*/.exec(me.email)?.[0]}
            </ReadOnly>
            <ReadOnly label={t('role')}>{tp(`role.${me.role}`)}</ReadOnly>
            <ReadOnly label={t('structure')}>{me.structure.name}</ReadOnly>
            <ReadOnly label={t('whiteLabels')}>{format.list(me.white_labels.map(({ name }) => name))}</ReadOnly>
          </div>
          <p className="small muted">{t('whoChanges')}</p>
        </Card>
      </div>
    </>
  )
}
