import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { useTranslation } from '@/i18n'
import type { MyWhiteLabel } from '@/api/types'
import { useMe } from '@/api/session'
import { textFor } from '@/i18n'
import { MenuButton } from '@/ui/menu/MenuButton'
import { useUpdateMe } from '../session/useUpdateMe'
import classes from './WhiteLabelSwitcher.module.css'

function Square({ item }: { item: MyWhiteLabel }) {
  return (
    <span
      className={classes['square']}
      style={{ background: /^#[0-9a-f]{6}$/i.test(item.color) ? item.color : undefined, color: readableOn(item.color) }}
      aria-hidden="true"
    >
      {item.initials.slice(0, 2)}
    </span>
  )
}

/** Black or white, whichever reads better on a colour (WCAG relative luminance). */
export function readableOn(color: string): string {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (hex === null) return '#fff'
  const [r = 0, g = 0, b = 0] = hex.slice(1).map((part) => {
    const c = Number.parseInt(part, 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff'
}

/** Which white-label one works for; with a single one, only its name. */
export function WhiteLabelSwitcher({ compact = false }: { compact?: boolean }) {
  const { t } = useTranslation('shell')
  const me = useMe()
  const update = useUpdateMe()
  const active = me.white_labels.find(({ id }) => id === me.active_white_label_id) ?? me.white_labels[0]
  if (active === undefined) return null
  const face = (
    <>
      <Square item={active} />
      <span className={classes['words']}>
        <span className={classes['name']}>{active.name}</span>
        <span className={classes['kind']}>{textFor(`shell:whiteLabel.kinds.${active.kind}`) ?? active.kind}</span>
      </span>
    </>
  )
  if (me.white_labels.length < 2) {
    return (
      <div className={classes['frame']} data-compact={compact || undefined} title={active.name}>
        {face}
      </div>
    )
  }
  return (
    <MenuButton
      withinPortal={false}
      position="bottom-start"
      width={260}
      zIndex={300}
      className={classes['menu']}
      button={
        <button
          type="button"
          className={classes['frame']}
          data-compact={compact || undefined}
          title={t('whiteLabel.switch', { name: active.name })}
          aria-label={compact ? t('whiteLabel.switch', { name: active.name }) : undefined}
        >
          <span className="visually-hidden">{t('whiteLabel.label')}</span>
          {face}
          <IconSelector size={16} stroke={1.75} aria-hidden />
        </button>
      }
      entries={() => [
        { heading: t('whiteLabel.label') },
        ...me.white_labels.map((item) => ({
          label: item.name,
          left: <Square item={item} />,
          right: item.id === active.id ? <IconCheck size={16} stroke={2} aria-label={t('whiteLabel.active')} /> : undefined,
          onSelect: () => item.id !== active.id && update.mutate({ active_white_label_id: item.id }),
        })),
      ]}
    />
  )
}
