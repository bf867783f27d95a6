import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconBike from '@tabler/icons-react/dist/esm/icons/IconBike.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconWalk from '@tabler/icons-react/dist/esm/icons/IconWalk.mjs'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { profileName } from '@/records/parcours/planner-profile'
import { setProfile } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { present } from '../editor/state'
import { onFoot, profiles } from '../logic/profiles'
import { offeredProfilesQuery } from '../queries'

/** How the planner travels. */
export function ProfileChoice({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const profile = useEditorState((state) => present(state).profile)
  const editable = useEditorState((state) => state.parcours.editable)
  const owner = useEditorState((state) => state.parcours.white_label.id)
  const { data: offeredByOwner = payload().profiles } = useQuery(offeredProfilesQuery(owner))
  // The profile that the line was made with stays in the list.
  const offered = profiles.filter((one) => offeredByOwner.includes(one) || one === profile)
  const Mark = onFoot(profile) ? IconWalk : IconBike
  if (!editable) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          wide={wide}
          aria-label={format.labelled(t('profile.label'), profileName(profile))}
          icon={<Mark size={16} stroke={1.75} aria-hidden />}
        >
          {profileName(profile)}
          <IconChevronDown size={14} stroke={2} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('profile.label')}>
        <Menu.RadioGroup value={profile} onChange={(one) => one !== profile && setProfile(editor, one)}>
          {offered.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {profileName(one)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
