"""Numbers that test_joints.c compares with: mass matrix and bias of a branched tree by Pinocchio (pip install pin).

The tree is that of the test. Pinocchio's free base has its linear velocity along the axes of the body, cocp's along those of
the world: M and bias are turned. A planar joint is two slides and a turn here.
"""
import numpy as np
import pinocchio as pin


def rpy(r, p, y):
    return pin.rpy.rpyToMatrix(r, p, y)


def se3(at, R=np.eye(3)):
    return pin.SE3(R, np.array(at, float))


def unit(a):
    return np.array(a, float) / np.linalg.norm(a)


model = pin.Model()
model.gravity.linear = np.array([0.3, -0.2, -9.7])


def add(parent, joint, place, name, mass, center, inertia):
    j = model.addJoint(parent, joint, place, name)
    model.appendBodyToJoint(j, pin.Inertia(mass, np.array(center, float), np.array(inertia, float)), se3([0, 0, 0]))
    return j


base = add(0, pin.JointModelFreeFlyer(), se3([0.1, -0.2, 0.3], rpy(0.2, -0.3, 0.5)), "base", 5, [0.02, -0.01, 0.03],
           [[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.35]])
torso = se3([0.1, 0.05, 0.4], rpy(0.1, 0.2, -0.3))
model.appendBodyToJoint(base, pin.Inertia(2, np.array([0.01, 0.02, 0.1]), np.diag([0.05, 0.06, 0.03])), torso)
arm = add(base, pin.JointModelRevoluteUnaligned(unit([1, 2, -1])), torso * se3([0, 0.2, 0.1], rpy(0.4, -0.1, 0.7)), "arm", 1.2,
          [0.1, 0, -0.05], np.diag([0.01, 0.02, 0.025]))
slider = add(arm, pin.JointModelPrismaticUnaligned(unit([0.3, -1, 0.2])), se3([0.25, 0, 0]), "slider", 0.7, [0, 0.1, 0],
             np.diag([0.004, 0.005, 0.006]))
neck = add(base, pin.JointModelSpherical(), torso * se3([0, 0, 0.3]), "neck", 0.9, [0, 0.01, 0.08], np.diag([0.007, 0.006, 0.005]))
track = model.addJoint(base, pin.JointModelPX(), se3([-0.2, 0, -0.1], rpy(0, 0, 1.1)), "x")
track = model.addJoint(track, pin.JointModelPZ(), se3([0, 0, 0]), "z")
track = add(track, pin.JointModelRY(), se3([0, 0, 0]), "pitch", 3, [0.05, 0.02, 0], np.diag([0.03, 0.04, 0.05]))
leg = add(base, pin.JointModelRevoluteUnaligned(np.array([0.0, 1, 0])),
          se3([0, -0.1, -0.1], pin.Quaternion(0.8, 0, 0.6, 0).matrix()), "leg", 1.5, [0, 0, -0.2], np.diag([0.02, 0.02, 0.002]))
shank = add(leg, pin.JointModelRX(), se3([0, 0, -0.4]), "shank", 0.8, [0, 0.01, -0.15], np.diag([0.01, 0.01, 0.001]))

quaternion = unit([0.7, 0.1, -0.5, 0.4])
ball = unit([0.9, -0.2, 0.3, 0.1])
q = np.concatenate([[0.3, -0.4, 0.9], quaternion[[1, 2, 3, 0]], [0.6], [-0.15], ball[[1, 2, 3, 0]], [0.2, -0.3, 0.8], [-1.1], [1.7]])
v_world = np.array([0.5, -0.6, 0.7])
w = [1.1, -1.2, 1.3]
rest = [-0.9, 0.4, 1.4, -1.5, 1.6, 0.35, -0.45, 0.55, 2.1, -2.2]
# cocp's slides of the base are along the joint's frame before it turns.
R = pin.Quaternion(quaternion[0], *quaternion[1:]).matrix()
T = np.eye(model.nv)
T[:3, :3] = R.T
v = np.concatenate([R.T @ v_world, w, rest])
a = np.zeros(model.nv)
a[:3] = -np.cross(w, v[:3])                 # what stands still in the world turns in the body
data = model.createData()
M = pin.crba(model, data, q)
M = np.triu(M) + np.triu(M, 1).T
bias = T.T @ pin.rnea(model, data, q, v, a)
M = T.T @ M @ T
# Pairs of positions first, then orientations, as the model orders them.
name = ["base_vx", "base_vy", "base_vz", "base_wx", "base_wy", "base_wz", "arm_v", "slider_v", "neck_wx", "neck_wy", "neck_wz",
        "track_vx", "track_vz", "track_w", "leg_v", "shank_v"]
order = [0, 1, 2, 6, 7, 11, 12, 13, 14, 15, 3, 4, 5, 8, 9, 10]
print("/* " + ", ".join(name[k] for k in order) + " */")
for i, k in enumerate(order):
    print("{ " + ", ".join("%.15g" % (0 if M[k, l] == 0 else M[k, l]) for l in order[:i + 1]) + " },")
print("{ " + ", ".join("%.15g" % bias[k] for k in order) + " }")
com = pin.centerOfMass(model, data, q, v)
pin.computeCentroidalMomentum(model, data, q, v)
print("{ " + ", ".join("%.15g" % c for c in [*com, *data.hg.linear, *data.hg.angular]) + " }")
