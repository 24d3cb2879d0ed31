import type { Paging } from '../list-screen/load-on.ts'

/** No further pages. */
export const singlePage: Paging = {
  isPending: false,
  isError: false,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage() {},
  refetch() {},
}
