import { createLink, type LinkComponent } from '@tanstack/react-router'
import { ButtonAnchor } from './Button'

/** A link of the router that looks like a button. */
export const ButtonLink: LinkComponent<typeof ButtonAnchor> = createLink(ButtonAnchor)
