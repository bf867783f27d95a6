// @vitest-environment jsdom
import { beforeAll, expect, it } from 'vitest'
import { ensureTexts, startTexts, textFor } from '@/i18n'
import { saveErrorOf, type EntityKind } from './define'

beforeAll(async () => {
  await startTexts('fr', ['common'])
  await ensureTexts('resource', 'sheet', 'imports', 'roadbook')
})

const entities: Record<EntityKind, string> = {
  structure: 'de la structure',
  contact: 'du contact',
  user: 'de l’utilisateur',
  poi: 'du POI',
  media: 'du média',
  transport_line: 'de la ligne de transport',
  white_label: 'de la marque blanche',
  itinerary: 'de l’itinéraire',
  marking: 'du balisage',
  equipment: 'de l’équipement',
  tag: 'du tag',
  level: 'du niveau',
  practice_type: 'du type de pratique',
  parcours_theme: 'de la thématique',
  poi_theme: 'de la thématique',
  poi_category: 'de la catégorie',
  structure_type: 'du type de structure',
  closure: 'de la fermeture',
  provider_link: 'du lien prestataire',
  survey_campaign: 'de la campagne',
  sit_record: 'de la fiche SIT',
  translator: 'du traducteur',
}

it.each([
  ...(Object.entries(entities) as [EntityKind, string][]).map(([kind, entity]) => [kind, () => saveErrorOf({ kind }), entity] as const),
  // The pages that are made otherwise.
  ...[
    ['sheet:error.save', 'du parcours'] as const,
    ['sheet:error.difficulty.save', 'de la difficulté'] as const,
    ['imports:step.saveError', 'de l’import'] as const,
    ['roadbook:error.save', 'du carnet de voyage'] as const,
  ].map(([key, entity]) => [key, () => textFor(key), entity] as const),
])('%s says « Erreur lors de la sauvegarde » of its entity', (_, wordsOf, entity) => {
  expect(wordsOf()).toBe(`Erreur lors de la sauvegarde ${entity}`)
})
