import { Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useTranslation } from '@/i18n'
import { currentLocale, locales, type Locale } from '@/i18n'
import { Button } from '@/ui/button/Button'
import classes from './TopBar.module.css'
import { format } from '@/ui/format'
import { useLocaleSwitch } from '@/ui/useLocaleSwitch'

/** Each language by its own name. */
const names: Record<Locale, string> = { fr: 'Français', en: 'English' }

/** FR or EN, of the same screen. */
export function LocaleMenu({ long = false, onSwitched }: { long?: boolean; onSwitched?: (locale: Locale) => void }) {
  const { t } = useTranslation('shell')
  const { pending, change } = useLocaleSwitch(onSwitched)
  const now = currentLocale()
  return (
    <Menu withinPortal={false} position="bottom-end" width={170} shadow="md" zIndex={300}>
      <Menu.Target>
        <Button
          look="ghost"
          size="small"
          busy={pending !== null}
          aria-label={format.labelled(t('locale.label'), long ? names[now] : `${now.toUpperCase()}, ${names[now]}`)}
        >
          {long ? names[now] : now.toUpperCase()}
          <IconChevronDown size={14} stroke={2} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes['menu'] ?? ''}>
        {locales.map((locale) => (
          <Menu.Item
            key={locale}
            lang={locale}
            aria-current={locale === now || undefined}
            rightSection={locale === now ? <IconCheck size={16} stroke={2} aria-hidden /> : undefined}
            onClick={() => void change(locale)}
          >
            {names[locale]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
