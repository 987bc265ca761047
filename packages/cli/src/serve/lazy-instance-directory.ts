import type { InstanceDirectory } from '@mcpmux/core';

/** Other instances of this user; nothing of it is loaded before somebody asks for them. */
export function lazyInstanceDirectory(): InstanceDirectory {
  const load = async (): Promise<InstanceDirectory> => {
    const { OtherInstances } = await import('../live/other-instances.js');
    const { processPlaces } = await import('../live/instance-host.js');
    return new OtherInstances(processPlaces());
  };
  let directory: Promise<InstanceDirectory> | undefined;
  const loaded = (): Promise<InstanceDirectory> => (directory ??= load());
  return {
    list: async () => (await loaded()).list(),
    open: async (instance) => (await loaded()).open(instance),
  };
}
