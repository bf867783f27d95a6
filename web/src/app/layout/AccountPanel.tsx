import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import IconCompass from '@tabler/icons-react/dist/esm/icons/IconCompass.mjs'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { useMe } from '@/api/session'
import { Button, ButtonAnchor } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Segments } from '@/ui/field/inputs'
import PopoverBox from '@/ui/menu/PopoverBox'
import type { Opening } from '@/ui/menu/useOpening'
import { countUnsaved, signOut } from '../session/sign-out'
import { useUpdateMe } from '../session/useUpdateMe'
import classes from './TopBar.module.css'

/** The panel of the account button: the appearance and the level of detail of the screens, and the sign-out. */
export default function AccountPanel({ label, opening }: { label: string; opening: Opening }) {
  const { t } = useTranslation('shell')
  const me = useMe()
  const [asking, setAsking] = useState<{ count: number; everywhere: boolean } | null>(null)
  /** Asks for confirmation when signing out would erase unsaved changes. */
  const leave = async (everywhere: boolean) => {
    const count = await countUnsaved(me.id)
    if (count > 0) setAsking({ count, everywhere })
    else await signOut(me.id, everywhere)
  }
  return (
    <>
      <PopoverBox opening={opening} withinPortal={false} position="bottom-end" width={290} label={label} className={classes['panel']}>
        {(close) => (
          <>
            <div className={classes['who']}>
              <strong>{`${me.first_name} ${me.last_name}`}</strong>
              <span className="small muted">{me.email}</span>
              <span className="small faint">{me.structure.name}</span>
            </div>
            <LookChoice />
            <ViewChoice />
            <div className={classes['ways']}>
              <ButtonLink look="ghost" to="/account" icon={<IconUserCircle size={18} stroke={1.75} aria-hidden />} onClick={close}>
                {t('account.mine')}
              </ButtonLink>
              <ButtonAnchor look="ghost" href="/terrain/" icon={<IconCompass size={18} stroke={1.75} aria-hidden />}>
                {t('account.ground')}
              </ButtonAnchor>
              <Button
                look="ghost"
                icon={<IconLogout size={18} stroke={1.75} aria-hidden />}
                onClick={() => {
                  close()
                  void leave(false)
                }}
              >
                {t('account.signOut')}
              </Button>
              <Button
                look="ghost"
                icon={<IconDevices size={18} stroke={1.75} aria-hidden />}
                onClick={() => {
                  close()
                  void leave(true)
                }}
              >
                {t('account.signOutEverywhere')}
              </Button>
            </div>
          </>
        )}
      </PopoverBox>
      {asking !== null && (
        <ConfirmDialog
          opened
          danger
          onClose={() => setAsking(null)}
          title={t('account.unsavedTitle')}
          confirm={t('account.signOutAnyway')}
          onConfirm={() => signOut(me.id, asking.everywhere)}
        >
          <p>{t('account.unsaved', { count: asking.count })}</p>
          <p>{t('account.unsavedHow')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function LookChoice() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className={classes['choice']}>
      <span aria-hidden="true">{t('account.look')}</span>
      <Segments<MantineColorScheme>
        label={t('account.look')}
        value={colorScheme}
        onChange={setColorScheme}
        choices={[
          { value: 'auto', label: t('account.system') },
          { value: 'light', label: t('account.light') },
          { value: 'dark', label: t('account.dark') },
        ]}
      />
    </div>
  )
}

function ViewChoice() {
  const { t } = useTranslation('shell')
  const me = useMe()
  const update = useUpdateMe()
  return (
    <div className={classes['choice']}>
      <span aria-hidden="true">{t('account.view')}</span>
      <Segments
        label={t('account.view')}
        value={me.advanced_view ? 'advanced' : 'simple'}
        onChange={(view) => update.mutate({ advanced_view: view === 'advanced' })}
        choices={[
          { value: 'simple', label: t('account.simple') },
          { value: 'advanced', label: t('account.advanced') },
        ]}
      />
    </div>
  )
}
