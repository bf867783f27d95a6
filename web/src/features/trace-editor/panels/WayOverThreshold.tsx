import IconBulb from '@tabler/icons-react/dist/esm/icons/IconBulb.mjs'
import { Trans, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { follow } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { shownGapsOf } from '../editor/shown'
import type { ShortestWay } from '../logic/gaps'
import { lettersText } from './gap-words'
import classes from './reliability.module.css'

/** The fewest fixes that raise the reliability over the threshold: previewed on the map, then applied. */
export function WayOverThreshold({ way, threshold }: { way: ShortestWay; threshold: number }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const editable = useEditorState((state) => state.parcours.editable)
  const preview = useEditorState((state) => state.preview)
  const gaps = useEditorState(shownGapsOf)
  const letters = lettersText(way.letters)
  return (
    <div className={classes['way']}>
      <p className="num">
        <IconBulb size={18} stroke={1.75} aria-hidden />
        <span>
          {way.reaches ? (
            <Trans
              t={t}
              i18nKey="reliability.wayOne"
              values={{ letters, percent: format.percent(way.percent) }}
              components={{ b: <strong /> }}
            />
          ) : (
            <Trans
              t={t}
              i18nKey="reliability.wayNot"
              values={{ letters, percent: format.percent(way.percent), threshold }}
              components={{ b: <strong /> }}
            />
          )}
        </span>
      </p>
      {editable && preview.length === 0 && (
        <Button look={way.reaches ? 'primary' : 'soft'} wide onClick={() => editor.set({ preview: way.letters, gap: null })}>
          {t('reliability.see', { letters })}
        </Button>
      )}
      {preview.length > 0 && (
        <>
          <p className={classes['preview']} role="status">
            {t('reliability.preview')}
          </p>
          <Button
            look="primary"
            wide
            onClick={() =>
              follow(
                editor,
                gaps.filter((gap) => preview.includes(gap.letter)),
              )
            }
          >
            {t('reliability.apply', { letters: lettersText(preview) })}
          </Button>
          <Button look="ghost" wide onClick={() => editor.set({ preview: [] })}>
            {t('reliability.cancelPreview')}
          </Button>
        </>
      )}
    </div>
  )
}
