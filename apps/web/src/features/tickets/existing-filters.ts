import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { categoryChoices } from '../categories/categories.api.ts'
import { tagChoices } from '../tags/tags.api.ts'
import type { Asked } from './asked.ts'

/** Filters without the tags and categories that were deleted meanwhile: nothing shows that they filter. */
export function useExistingFilters(asked: Asked): Asked {
  const { data: tags } = useQuery({ ...tagChoices, enabled: Boolean(asked.tagIds?.length) })
  const { data: categories } = useQuery({ ...categoryChoices, enabled: Boolean(asked.categoryIds?.length) })
  return useMemo(
    () => ({
      ...asked,
      ...(asked.tagIds && { tagIds: among(asked.tagIds, tags) }),
      ...(asked.categoryIds && { categoryIds: among(asked.categoryIds, categories) }),
    }),
    [asked, tags, categories],
  )
}

/** All of them while the list is loading. */
const among = (ids: number[], existing: { id: number }[] | undefined) =>
  existing ? ids.filter(id => existing.some(one => one.id === id)) : ids
