import IconArrowLoopRight from '@tabler/icons-react/dist/esm/icons/IconArrowLoopRight.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import type { Position } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextInput } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { format } from '@/ui/format'
import { useTouch } from '@/ui/usePhone'
import { useEditor, useEditorState } from '../../editor/context'
import { present } from '../../editor/state'
import { parseCoordinates } from '../../logic/geo'
import { onFoot } from '../../logic/profiles'
import { useStepName } from '../../words'
import { ProfileChoice } from '../ProfileChoice'
import classes from './ways.module.css'
import { stepLabels } from '@/records/parcours/step-labels'

/** The lengths that the planner accepts, km. */
const LENGTH_KM = { least: 0.5, most: 300 }
/** The length that the form proposes. */
const usualKm = (profile: string): number => (onFoot(profile) ? 10 : 30)
const ON_MAP = 'map'

/** The form of a loop: start, length and profile. */
export function LoopForm() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const touch = useTouch()
  const steps = useEditorState((state) => present(state).steps)
  const drawn = useEditorState((state) => present(state).legs.length > 0)
  const profile = useEditorState((state) => present(state).profile)
  const pressed = useEditorState((state) => state.pen[0])
  const nameOf = useStepName()
  const [from, setFrom] = useState(() => String(editor.get().step ?? steps[0]?.key ?? ON_MAP))
  const [km, setKm] = useState<number | null>(() => usualKm(profile))
  const [text, setText] = useState('')
  const labels = stepLabels(steps)
  const onMap = pressed !== undefined || from === ON_MAP
  const typed = parseCoordinates(text)
  const start: Position | undefined = onMap ? (pressed ?? typed ?? undefined) : steps.find((one) => String(one.key) === from)?.position
  const badLength = km === null || km < LENGTH_KM.least || km > LENGTH_KM.most
  const bounds = { least: format.number(LENGTH_KM.least, 1), most: format.number(LENGTH_KM.most) }
  const reason = start === undefined ? t('loop.noStart') : badLength ? t('loop.badLength', bounds) : undefined
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (start && !badLength) editor.propose({ kind: 'loop', profile, start, length_m: km * 1000 })
      }}
    >
      <Field label={t('loop.from')} hint={t('loop.fromHint')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={onMap ? ON_MAP : from}
            onChange={(value) => {
              setFrom(value ?? ON_MAP)
              editor.set({ pen: [] })
            }}
            choices={[
              ...steps.map((one, index) => ({
                value: String(one.key),
                label: `${labels[index] ?? ''} · ${nameOf(one, labels[index] ?? '')}`,
              })),
              { value: ON_MAP, label: t(pressed ? 'loop.pressed' : 'loop.onMap') },
            ]}
          />
        )}
      </Field>
      {onMap && pressed === undefined && (
        <Field
          label={t('form.coordinates')}
          hint={t('form.coordinatesHint')}
          error={text !== '' && typed === null ? t('form.coordinatesBad') : undefined}
        >
          {(wiring) => <TextInput {...wiring} value={text} onChange={setText} autoComplete="off" />}
        </Field>
      )}
      <div className={classes['pair']}>
        <NumberBox
          label={t('loop.length')}
          error={badLength ? t('loop.badLength', bounds) : undefined}
          value={km}
          onChange={setKm}
          onUnreadable={() => setKm(null)}
          decimals={1}
          unit="km"
        />
        <div className={classes['profile']}>
          <span aria-hidden="true">{t('profile.label')}</span>
          <ProfileChoice wide />
        </div>
      </div>
      <Button type="submit" look="soft" icon={<IconArrowLoopRight size={16} stroke={1.75} aria-hidden />} disabledReason={reason}>
        {t('loop.go')}
      </Button>
      {drawn && <p className={classes['hint']}>{t('loop.replaces', { count: steps.length, keys: touch ? '' : t('undoKeys') })}</p>}
    </form>
  )
}
