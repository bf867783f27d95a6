import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useTranslation } from '@/i18n'
import { currentLocale, locales, type Locale } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { MenuButton } from '@/ui/menu/MenuButton'
import { useMoveUrl } from '../useMoveUrl'
import classes from './TopBar.module.css'
import { format } from '@/ui/format'
import { useLocaleSwitch } from '@/ui/useLocaleSwitch'

/** Each language by its own name. */
const names: Record<Locale, string> = { fr: 'Français', en: 'English' }

/** Shows the current screen in the other language. */
export function LocaleMenu({ long = false, onSwitched }: { long?: boolean; onSwitched?: (locale: Locale) => void }) {
  const { t } = useTranslation('shell')
  const { pending, change } = useLocaleSwitch(useMoveUrl(), onSwitched)
  const now = currentLocale()
  return (
    <MenuButton
      withinPortal={false}
      position="bottom-end"
      width={170}
      zIndex={300}
      className={classes['menu']}
      button={
        <Button
          look="ghost"
          size="small"
          busy={pending !== null}
          aria-label={format.labelled(t('locale.label'), long ? names[now] : `${now.toUpperCase()}, ${names[now]}`)}
        >
          {long ? names[now] : now.toUpperCase()}
          <IconChevronDown size={14} stroke={2} aria-hidden />
        </Button>
      }
      entries={() =>
        locales.map((locale) => ({
          label: names[locale],
          lang: locale,
          current: locale === now,
          right: locale === now ? <IconCheck size={16} stroke={2} aria-hidden /> : undefined,
          onSelect: () => void change(locale),
        }))
      }
    />
  )
}
