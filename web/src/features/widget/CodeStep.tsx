import type { WidgetFacts } from '@/api/types'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { copyText } from '@/ui/copy'
import { Field } from '@/ui/field/Field'
import { Segments, TextArea, TextInput } from '@/ui/field/inputs'
import { AllowSite } from './AllowSite'
import { codeOf, type Choice, type CodeKind } from './code'
import classes from './widget.module.css'

/** The code, and the sites where it works. */
export function CodeStep({ choice, facts }: { choice: Choice; facts: WidgetFacts }) {
  const { t } = useTranslation('widget')
  const [kind, setKind] = useState<CodeKind>('script')
  const code = codeOf(choice, facts, kind, t(kind === 'geotrek' ? 'show.map' : 'show.list'))
  return (
    <>
      <Segments
        label={t('kind.label')}
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'script', label: t('kind.script') },
          { value: 'frame', label: t('kind.frame') },
          { value: 'geotrek', label: t('kind.geotrek') },
        ]}
      />
      <Field label={t('code')} hint={t(`kindHint.${kind}`)}>
        {(wiring) => (
          <TextArea
            {...wiring}
            readOnly
            rows={6}
            value={code}
            spellCheck={false}
            className={classes['code'] ?? ''}
            onChange={() => undefined}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
      <div>
        <Button
          look="primary"
          icon={<IconCopy size={17} stroke={1.75} aria-hidden />}
          onClick={() => void copyText(code, { done: t('copied'), failed: t('copyFailed') })}
        >
          {t('copy')}
        </Button>
      </div>
      {kind === 'geotrek' && (
        <Field label={t('geotrekApi')} hint={t('geotrekApiHint')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              readOnly
              value={facts.geotrek.api_url}
              spellCheck={false}
              className={classes['code'] ?? ''}
              onChange={() => undefined}
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
      )}
      <div className={classes['origins']}>
        <h3>{t('origins')}</h3>
        {facts.origins.length === 0 ? (
          <p>{t('originsNone')}</p>
        ) : (
          <ul>
            {facts.origins.map((origin) => (
              <li key={origin}>{origin}</li>
            ))}
          </ul>
        )}
        <p className="small muted">{t('originsHint')}</p>
        <AllowSite whiteLabel={choice.whiteLabel} />
        <ButtonLink size="small" to="/settings/marques-blanches/$id" params={{ id: String(choice.whiteLabel) }}>
          {t('originsAll')}
        </ButtonLink>
      </div>
      <p className="small muted">{t('privacy')}</p>
    </>
  )
}
