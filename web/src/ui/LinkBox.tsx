import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useTranslation } from '@/i18n'
import { Button, ButtonAnchor } from '@/ui/button/Button'
import { TextInput } from '@/ui/field/inputs'
import { copyText } from './copy'
import classes from './LinkBox.module.css'

/** A complete address unchanged, or a path of this page's server as a complete address. */
export const absolute = (url: string): string => new URL(url, window.location.origin).href

/** A link to share: shown as text, with buttons to copy and to open it. */
export function LinkBox({ url, label, works = true }: { url: string; label: string; works?: boolean }) {
  const { t } = useTranslation()
  const address = absolute(url)
  const icon = { size: 17, stroke: 1.75, 'aria-hidden': true }
  return (
    <div className={classes['link']}>
      <TextInput readOnly aria-label={label} value={address} onChange={() => undefined} onFocus={(event) => event.target.select()} />
      <Button
        icon={<IconCopy {...icon} />}
        aria-label={t('link.copyOf', { what: label })}
        onClick={() => void copyText(address, { done: t('link.copied'), failed: t('link.copyFailed') })}
      >
        {t('link.copy')}
      </Button>
      {works && (
        <ButtonAnchor
          look="ghost"
          href={address}
          target="_blank"
          rel="noopener"
          icon={<IconExternalLink {...icon} />}
          aria-label={t('link.openOf', { what: label })}
        >
          {t('link.open')}
        </ButtonAnchor>
      )}
    </div>
  )
}
