function y = value(file, name, t)
% VALUE  A state or control of a result of cocp at time t, by the polynomial of its finite element, to rounding.
%
%   value("hopper.h5", "z", 0.4)    in MATLAB
%   value("hopper.h5", 2, 0.4)      in Octave (pkg load netcdf), which reads no texts: states by number, then controls
  g = @(what) ncread(file, ["/grid/" what]);
  x = g("x_start");                                         % ncread has the slowest axis last
  if ~isnumeric(name)
    name = find([g("state"); g("control")] == string(name));
  end
  if name > size(x, 1)
    u = g("u");
    y = u(name - size(x, 1), sum(g("t_interval") <= t + 1e-12));
    return
  end
  start = g("t_start");  h = g("h");  x_stage = g("x_stage");  c = [0; g("c")];
  e = max(sum(start <= t + 1e-12), 1);
  v = [x(name, e), x_stage(name, :, e)];
  tau = (t - start(e)) / h(e);
  y = 0;
  for i = 1:numel(c)
    d = c([1:i-1, i+1:end]);
    y = y + v(i) * prod((tau - d) ./ (c(i) - d));
  end
end
