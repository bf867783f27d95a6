import IconCopyright from '@tabler/icons-react/dist/esm/icons/IconCopyright.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { Link } from '@tanstack/react-router'
import type { Media } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { OwnerBadge } from '@/records/badge/record-badges'
import { Checkbox } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import { passFocusOn } from '@/ui/list/row-focus'
import { useSelection, type SelectionStore } from '@/records/list/selection'
import { kindIcons, MediaThumb } from '@/records/media/MediaThumb'
import { mediaFacts } from './facts'
import classes from './media.module.css'

/** The library as pictures: what it is, what it lacks, how often it is used. */
export function Cards({ rows, selection }: { rows: readonly Media[]; selection: SelectionStore }) {
  const { t } = useTranslation('media')
  const mayWrite = useCan('content.write')
  const ticked = useSelection(selection).ids
  return (
    <ul className={classes['cards']} data-ticking={ticked.size > 0 || undefined}>
      {rows.map((media) => {
        const name = textOf(media.legend, media.file_name)
        const Mark = kindIcons[media.kind]
        return (
          <li key={media.id} ref={passFocusOn} className={classes['card']} data-chosen={ticked.has(media.id) || undefined}>
            <div className={classes['picture']}>
              <MediaThumb media={media} />
              {mayWrite && (
                <span className={classes['tick']}>
                  <Checkbox
                    bare
                    checked={ticked.has(media.id)}
                    onChange={() => selection.toggle(media.id)}
                    label={t('common:list.tick', { name })}
                  />
                </span>
              )}
              <span className={classes['badges']}>
                {!media.mine && <OwnerBadge name={media.white_label.name} />}
                {media.mine && media.missing.includes('copyright') && (
                  <Badge tone="warn" icon={IconCopyright}>
                    {t('noCredit')}
                  </Badge>
                )}
                {(media.duplicates?.length ?? 0) > 0 && (
                  <Badge tone="info" icon={IconCopy}>
                    {t('duplicate')}
                  </Badge>
                )}
              </span>
            </div>
            <Link to="/medias/$id" params={{ id: String(media.id) }} className={classes['name']} title={name}>
              {name}
            </Link>
            <span className={classes['facts']}>
              <Mark size={15} stroke={1.75} aria-label={t(`kind.${media.kind}`)} role="img" />
              <span>{mediaFacts(media)}</span>
              <span className={classes['uses']}>
                {media.uses_total === 0 ? t('notUsed') : t('uses', { count: media.uses_total, total: format.number(media.uses_total) })}
              </span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
